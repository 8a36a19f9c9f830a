"""``plybook remote``: conditional moves, notes, chat, what waits, and time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import json_lines
from tests.cli.processes import Terminal, environment
from tests.cli.remote.someone import Someone, begun

pytestmark = pytest.mark.slow

ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))


def line(when: object, then: object, *following: object) -> str:
    return json.dumps({"if": when, "then": [then], "next": list(following)})


def test_lines_are_written_listed_fired_and_told_of(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "path-capture", "-o", "length=41")
    assert "You have no conditional moves" in bob("lines", match).stderr
    assert "Nothing has become of any line yet" in bob("lines", match, "--told").stderr
    bob.done("lines", match, "--add", line(ONE, TWO, json.loads(line(THREE, ONE))))
    told = bob.done("lines", match, "--add", line(TWO, ONE))
    assert [one.strip().split("  ")[0] for one in told.splitlines()] == ["1", "1.1", "2"]
    assert told == bob.done("lines", match)
    assert "You have no conditional moves" in ada("lines", match).stderr
    ada.done("move", match, "+1")
    assert json.loads(ada.done("show", match, "--json"))["ply"] == 2
    kinds = [one["kind"] for one in json_lines(bob("lines", match, "--told", "--json"))]
    assert kinds == ["lapsed", "fired"]
    happened = bob.done("lines", match, "--told").splitlines()
    assert "fired. Your opponent played +1; +2 was played for you." in happened[-1]
    assert ada.done("lines", match, "--told") == ""


def test_lines_are_replaced_and_deleted(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "path-capture", "-o", "length=41")
    written = {"lines": [json.loads(line(ONE, TWO)), json.loads(line(TWO, TWO))]}
    bob.done("lines", match, "--set", json.dumps(written))
    left = json.loads(bob.done("lines", match, "--delete", "1", "--json"))
    assert [one["if"] for one in left["lines"]] == [TWO]
    assert bob("lines", match, "--delete", "9").exit_code == 4
    assert bob.done("lines", match, "--clear") == ""
    assert bob("lines", match, "--clear", "--told").exit_code == 2
    wrong = bob("lines", match, "--add", line(ONE, {"steps": 9}))
    assert (wrong.exit_code, bob.done("lines", match)) == (1, "")


def test_notes_are_for_oneself(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    assert "You have no notes" in ada("note", match).stderr
    assert ada.done("note", match, "A quiet game.") == "The whole match: A quiet game.\n"
    ada.done("note", match, "-", "--at", "3", typed="Two lines,\nboth kept.\n")
    assert ada.done("note", match) == (
        "The whole match: A quiet game.\n@3: Two lines,\nboth kept.\n"
    )
    assert bob.done("note", match) == ""
    ada.done("note", match, "--at", "3", "--delete")
    assert [one["version"] for one in json_lines(ada("note", match, "--json"))] == [0]
    assert ada("note", match, "--at", "3", "--delete").exit_code == 4
    assert ada("note", match, "-", typed="").exit_code == 2
    for given in (("note", match, "a\udcff"), ("chat", match, "\udcff"), ("show", "\udcff")):
        refused = ada(*given)
        assert (refused.exit_code, "is no text" in refused.stderr) == (2, True)


def test_what_is_said_is_read_in_the_room_that_is_ones_own(
    ada: Someone, bob: Someone, eve: Someone
) -> None:
    match = begun(ada, bob)
    assert "Nothing has been said in the room of the players." in bob("chat", match).stderr
    ada.done("chat", match, "Good luck!")
    bob.done("chat", match, "Have fun.")
    heard = [one.split("  ", 2)[2] for one in ada.done("chat", match).splitlines()]
    assert heard == [f"{ada.name}: Good luck!", f"{bob.name}: Have fun."]
    assert eve.done("chat", match) == ""
    assert eve("chat", match, "--room", "players").exit_code == 1
    assert ada("chat", match, "--delete", "2").exit_code == 1
    bob.done("chat", match, "--delete", "2")
    assert ada.done("chat", match).splitlines()[1].endswith(f"{bob.name}: (deleted)")
    assert len(json_lines(ada("chat", match, "--limit", "1", "--json"))) == 1


def test_own_challenges_and_invitations_are_listed(ada: Someone, bob: Someone) -> None:
    assert "Nobody challenges you." in bob("challenges").stderr
    assert "You have no open invitations." in ada("invitations").stderr
    asked = json.loads(ada.done("challenge", "path-capture", bob.name, "--json"))["id"]
    made, invited = json_lines(ada("challenge", "path-capture", "--invite", "--json"))
    for who, words in ((bob, ()), (ada, ("--made",))):
        listed = json_lines(who("challenges", *words, "--json"))
        assert [one["match"]["id"] for one in listed] == [asked]
        assert asked in who.done("challenges", *words)
        assert "  until 20" in who.done("challenges", *words)
    assert ada.done("challenges") == ""
    assert ada.done("invitations").startswith(f"{invited['id']}  to match {made['id']}, until 20")
    assert ada("invitations", "--revoke", "i_0000000000000000").exit_code == 4
    assert ada.done("invitations", "--revoke", invited["id"], "--yes") == ""
    assert bob("join", "--invitation", invited["token"]).exit_code == 4
    bob.done("decline", asked, "--yes")
    assert bob.done("challenges") == ""


def test_time_is_given_and_vacations_are_taken(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "path-capture", "--days-per-move", "3")
    assert bob.done("give-time", match, "24") == "Your opponent has 24 hours more.\n"
    clock = json.loads(ada.done("show", match, "--json"))["clock"]
    assert clock["seats"][0]["seconds"] > 3 * 86_400
    assert ada.done("vacation").startswith("You have 30 of 30 days left in 20")
    assert ada.done("vacation", "--take", "2").startswith("You are on vacation until 20")
    assert json.loads(ada.done("vacation", "--json"))["days_left"] == 28
    assert ada.done("vacation", "--end").startswith("You have 29 of 30 days left")
    assert ada("vacation", "--end").exit_code == 1
    assert ada("vacation", "--end", "--take", "1").exit_code == 2


ANSWERS = [("n\r", [], 0), ("y\r", [], 1), ("", ["--yes"], 1)]
"""What is typed, the words of the command, and how many moves are made."""


@pytest.mark.parametrize(("typed", "more", "ply"), ANSWERS)
def test_a_typed_move_is_shown_and_asked_about_on_a_terminal(
    ada: Someone, bob: Someone, typed: str, more: list[str], ply: int
) -> None:
    match = begun(ada, bob, "path-capture")
    env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(ada.home))
    with Terminal(["remote", "move", match, "+1", *more], env) as terminal:
        if typed:
            terminal.until(f"Play +1 against {bob.name}, as move 1? [y/N]")
            terminal.press(typed)
        assert terminal.ends() == (0 if ply else 130)
    assert json.loads(ada.done("show", match, "--json"))["ply"] == ply


def test_a_draw_is_not_accepted_by_accident(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    ada.done("offers", match, "--make", "draw")
    env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(bob.home))
    with Terminal(["remote", "offers", match, "--accept", "draw"], env) as terminal:
        terminal.until("Accept the draw? That ends the match. [y/N]")
        terminal.press("n\r")
        assert terminal.ends() == 130
    assert json.loads(ada.done("show", match, "--json"))["status"] == "active"


def test_an_analysis_of_a_match_that_goes_on_is_refused(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    refused = ada("analyse", match)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "played to its end" in refused.stderr


def test_webhooks_are_made_tried_changed_and_deleted(ada: Someone, bob: Someone) -> None:
    assert "You have no webhooks" in ada("webhooks").stderr
    made = json.loads(ada.done("webhooks", "--add", "https://bot.example/a", "--json"))
    webhook = made["id"]
    assert made["secret"].startswith("whsec_")
    assert made["secret"] not in ada.done("webhooks")
    assert f"{webhook}  on  match.turn" in ada.done("webhooks")
    assert "Nothing has been sent yet" in ada("webhooks", webhook, "--sent").stderr
    sent = json.loads(ada.done("webhooks", webhook, "--test", "--json"))
    assert "  test  waiting" in ada.done("webhooks", webhook, "--redeliver", str(sent["number"]))
    assert str(sent["number"]) in ada.done("webhooks", webhook, "--sent")
    assert made["secret"] not in ada.done("webhooks", webhook, "--rotate")
    assert "  match.over  " in ada.done("webhooks", webhook, "--type", "match.over")
    assert "off (asked)" in ada.done("webhooks", webhook, "--off")
    assert ada("webhooks", webhook, "--test").exit_code == 1
    assert "  on  " in ada.done("webhooks", webhook, "--on")
    assert bob("webhooks", webhook, "--delete").exit_code == 4
    assert ada("webhooks", "--add", "nonsense").exit_code == 1
    for wrong in ((webhook,), ("--test",), (webhook, "--add", "https://bot.example/"),
                  (webhook, "--test", "--redeliver", "1")):  # fmt: skip
        assert ada("webhooks", *wrong).exit_code == 2
    ada.done("webhooks", webhook, "--delete")
    assert ada.done("webhooks") == ""
