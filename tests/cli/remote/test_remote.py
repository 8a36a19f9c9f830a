"""``plybook remote`` against a real server: everything that it shows came over the API."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from tests.cli.calls import json_lines, lines
from tests.cli.processes import Terminal, environment
from tests.cli.remote.someone import PASSWORD, Someone, begun, call
from tests.docs.cutting import Cutter
from tests.support.ports import free_port

pytestmark = pytest.mark.slow


def test_a_login_is_kept_for_oneself_alone_and_without_the_password(ada: Someone) -> None:
    assert stat.S_IMODE(ada.file.stat().st_mode) == 0o600
    kept = json.loads(ada.file.read_text(encoding="utf-8"))
    assert (kept["url"], kept["name"]) == (ada.url, ada.name)
    assert PASSWORD.strip() not in ada.file.read_text(encoding="utf-8")


def test_a_token_may_be_pasted(ada: Someone, tmp_path: Path) -> None:
    token = json.loads(ada.file.read_text(encoding="utf-8"))["token"]
    home = tmp_path / "elsewhere"
    done = call("login", ada.url, "--token", home=home, typed=f"{token}\n")
    assert (done.exit_code, done.stdout) == (0, f"You are {ada.name} at {ada.url}.\n")
    assert call("turns", home=home).exit_code == 0


def test_who_logs_out_has_no_token_any_more(ada: Someone) -> None:
    token = json.loads(ada.file.read_text(encoding="utf-8"))["token"]
    assert ada.done("logout") == f"You are logged out of {ada.url}.\n"
    assert not ada.file.exists()
    late = ada("turns", PLYBOOK_URL=ada.url, PLYBOOK_TOKEN=token)
    assert late.exit_code == 1
    assert "unknown, expired or revoked" in late.stderr
    none = ada("turns")
    assert (none.exit_code, "not logged in" in none.stderr) == (2, True)


def test_the_environment_goes_before_the_login_that_is_kept(ada: Someone, bob: Someone) -> None:
    token = json.loads(bob.file.read_text(encoding="utf-8"))["token"]
    begun(bob, ada)
    assert ada.done("turns") == ""
    assert ada.done("turns", PLYBOOK_TOKEN=token) != ""
    other = ada("turns", PLYBOOK_URL="https://plybook.invalid")
    assert (other.exit_code, "another service" in other.stderr) == (2, True)


def test_failures_are_sentences_with_the_documented_codes(ada: Someone, tmp_path: Path) -> None:
    missing = ada("show", "0000000000000000")
    assert (missing.exit_code, missing.stderr) == (
        4,
        "Error: There is no match 0000000000000000.\n",
    )
    refused = ada("challenge", "power-line", "nobody-of-that-name")
    assert (refused.exit_code, refused.stderr) == (1, "Error: There is no player of that name.\n")
    wrong = call("login", ada.url, ada.name, home=tmp_path / "x", typed="wrong password\n")
    assert (wrong.exit_code, "Name or password is wrong." in wrong.stderr) == (1, True)
    usage = ada("login", "ftp://plybook.example", "ada", typed="x\n")
    assert (usage.exit_code, "no address of a service" in usage.stderr) == (2, True)


def test_nobody_there_is_said_after_a_few_tries(
    ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.remote import connection

    monkeypatch.setattr(connection, "WAITS", (0.0, 0.0))
    address = f"http://127.0.0.1:{free_port()}"
    lost = ada("turns", PLYBOOK_URL=address, PLYBOOK_TOKEN="x")
    assert lost.exit_code == 1
    assert lost.stderr.startswith(f"Error: {address} does not answer: ")


def test_my_turns_are_challenges_and_matches_that_wait_for_me(ada: Someone, bob: Someone) -> None:
    nothing = bob("turns")
    assert (nothing.stdout, "Nothing waits for you." in nothing.stderr) == ("", True)
    running = begun(bob, ada)
    asked = ada.done("challenge", "path-capture", bob.name, "--json")
    found = [line["id"] for line in json_lines(bob("turns", "--json"))]
    assert found == [json.loads(asked)["id"], running]
    assert f"{bob.name} to move." in bob.done("turns")


def test_a_match_with_the_house_waits_for_nobody(ada: Someone) -> None:
    told = ada.done("challenge", "path-capture", "house:1", "--seat", "1")
    assert re.match(r"Match [0-9a-z]{16} has begun\.\n", told)


def test_a_seek_is_found_and_joined(ada: Someone, bob: Someone) -> None:
    made = json.loads(ada.done("challenge", "grid-power", "--days-per-move", "3", "--json"))
    listed = bob("matches", "--seeks", "--pace", "per-move", "--player", ada.name, "--json")
    assert [line["id"] for line in json_lines(listed)] == [made["id"]]
    assert "to move" in bob.done("join", made["id"])
    again = bob("matches", "--seeks", "--player", ada.name)
    assert (again.stdout, "There are no such matches." in again.stderr) == ("", True)


def test_an_invitation_is_made_and_used(ada: Someone, bob: Someone) -> None:
    told = ada.done("challenge", "path-capture", "--visibility", "private", "--invite")
    token = told.split("--invitation ")[1].split()[0]
    assert "to move" in bob.done("join", "--invitation", token)
    assert ada("join", "--invitation", token).exit_code == 4


def test_a_challenge_is_declined_and_another_withdrawn(ada: Someone, bob: Someone) -> None:
    for word, who in (("decline", bob), ("withdraw", ada)):
        match = json.loads(ada.done("challenge", "path-capture", bob.name, "--json"))["id"]
        who.done(word, match, "--yes")
        shown = json.loads(ada.done("show", match, "--json"))
        assert shown["result"]["reason"] == {"decline": "declined", "withdraw": "withdrawn"}[word]


def test_a_move_is_typed_in_the_games_notation_or_as_json(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    told = ada.done("move", match, "3=3")
    assert f"{ada.name} places" in told
    assert f"P2 {bob.name} to move." in told
    body = '{"action": "place", "position": 5, "power": 2}'
    done = json.loads(bob.done("move", match, body, "--json"))
    assert done["events"][0]["data"]["move"]["position"] == 5
    refused = ada("move", match, "9=9")
    assert refused.exit_code == 1
    assert "'9=9' is no legal move. Legal are " in refused.stderr
    assert "0=1\n" in ada.done("move", match, "--list")
    late = bob("move", match, "1=1")
    assert (late.exit_code, late.stderr) == (1, "Error: It is not your turn.\n")
    blind = ada("move", match)
    assert (blind.exit_code, "no terminal" in blind.stderr) == (2, True)


def test_a_move_whose_answer_is_lost_is_made_once(
    ada: Someone, bob: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.remote import connection

    monkeypatch.setattr(connection, "WAITS", (0.0, 0.0))
    match = begun(ada, bob)
    token = json.loads(ada.file.read_text(encoding="utf-8"))["token"]
    with Cutter(ada.url) as cutter:
        cutter.lose_answers("/moves", 1)
        ada.done("move", match, "3=3", PLYBOOK_URL=cutter.url, PLYBOOK_TOKEN=token)
        assert cutter.lost == 1
        assert [status for status, _ in cutter.answers("/moves")] == [201, 201]
    assert json.loads(ada.done("show", match, "--json"))["ply"] == 1


def test_a_move_is_put_together_step_by_step_on_a_terminal(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "path-capture")
    env = environment(Path("/nowhere"), XDG_CONFIG_HOME=str(ada.home))
    with Terminal(["remote", "move", match], env) as terminal:
        shown = terminal.until("step 1> ")
        assert ada.name in shown
        terminal.press("1\r")
        terminal.until("Play it? [y, back, cancel] ")
        terminal.press("y\r")
        terminal.until("P2")
        assert terminal.ends() == 0
    assert json.loads(ada.done("show", match, "--json"))["ply"] == 1


def test_what_is_shown_is_what_the_local_command_shows(ada: Someone, bob: Someone) -> None:
    """The same renderer: the local commands, on a copy of the match, print the same."""
    match = begun(ada, bob)
    for who, text in ((ada, "3=3"), (bob, "5=2"), (ada, "0=1")):
        who.done("move", match, text)
    ada.done("resign", match, "--yes")
    frames = ada.done("replay", match)
    assert frames.count("\n@") >= 4
    board = ada.done("show", match)
    assert board.splitlines()[0] in frames
    for line in board.splitlines()[2:]:
        assert line in frames
    one = ada.done("replay", f"{match}@6")
    assert one.count("\n@") == 1


def test_a_replay_has_the_frames_of_the_api(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    ada.done("move", match, "3=3")
    frames = json_lines(ada("replay", match, "--json"))
    assert [frame["text"][:9] for frame in frames][1] == "P1 places"
    assert frames[-1]["state"] == json.loads(ada.done("show", match, "--json"))["state"]


def test_a_hand_shows_only_to_its_player(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "power-lines")
    own, others = ada.done("show", match), bob.done("show", match)
    assert own != others
    refused = ada("show", match, "--as", "seat-2")
    assert (refused.exit_code, "Only the seat itself" in refused.stderr) == (1, True)


def test_offers_are_made_listed_and_answered(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    assert "Nothing is offered." in ada("offers", match).stderr
    ada.done("move", match, "3=3")
    assert ada.done("offers", match, "--make", "draw") == f"{ada.name} offers a draw.\n"
    assert bob.done("offers", match) == f"{ada.name} offers a draw.\n"
    assert f"{ada.name} offers a draw." in bob.done("show", match)
    both = bob("offers", match, "--accept", "draw", "--decline", "draw")
    assert both.exit_code == 2
    bob.done("offers", match, "--accept", "draw", "--yes")
    shown = json.loads(ada.done("show", match, "--json"))
    assert (shown["status"], shown["result"]["winner"]) == ("finished", None)


def test_a_rematch_is_asked_for_and_accepted(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    ada.done("resign", match, "--yes")
    first = json.loads(ada.done("rematch", match, "--json"))
    second = json.loads(bob.done("rematch", match, "--json"))
    assert (first["id"], second["status"]) == (second["id"], "active")


def test_nothing_is_given_up_without_a_yes(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob)
    kept = ada("resign", match, typed=lines("n"))
    assert kept.exit_code == 130
    assert json.loads(ada.done("show", match, "--json"))["status"] == "active"


def test_a_series_is_begun_shown_and_left(ada: Someone, bob: Someone) -> None:
    match = begun(ada, bob, "path-capture", "--best-of", "3")
    ada.done("resign", match, "--yes")
    told = bob.done("series", match)
    assert f"{ada.name}: 0\n{bob.name}: 1\n" in told
    assert told.endswith("It goes on.\n")
    assert "Match 1 of a series, best of 3.\n" in bob.done("show", match)
    [listed] = bob.done("series", "--player", ada.name, "--status", "active").splitlines()
    assert listed.startswith(f"{match}  path-capture    {ada.name}: 0 - {bob.name}: 1; best of 3. ")
    [found] = json_lines(bob("series", match, "--json"))
    last = found["matches"][-1]["match"]
    assert bob.done("resign", "--series", last, "--yes").endswith("the rest of its series.\n")
    assert ada.done("series", last).endswith(f"{ada.name} has won the series.\n")
    assert [one["champion"] for one in json_lines(ada("series", "--mine", "--json"))] == [ada.name]
    assert ada("series", begun(ada, bob)).exit_code != 0


@pytest.mark.parametrize(
    "words", [("--mine", "--player", "ada"), ("7m2kq9x4tbw0ed5r", "--mine"), ("--game", "chess")]
)
def test_series_are_not_chosen_in_two_ways(ada: Someone, words: tuple[str, ...]) -> None:
    refused = ada("series", *words)
    assert (refused.exit_code, refused.stdout) == (4 if "chess" in words else 2, "")


def test_a_seek_names_a_range_of_ratings(ada: Someone, bob: Someone) -> None:
    told = ada.done("challenge", "grid-power", "--rated", "--rating-range", "1600-1700")
    assert told.endswith(f"Rated: {ada.name} 1500?\nIt is for ratings from 1600 to 1700.\n")
    [line] = bob.done("matches", "--seeks", "--player", ada.name).splitlines()
    assert line.endswith("; rated; for ratings from 1600 to 1700")
    [found] = json_lines(bob("matches", "--seeks", "--player", ada.name, "--json"))
    assert found["rating_range"] == {"min": 160_000, "max": 170_000}
    refused = bob("join", found["id"])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "1600" in refused.stderr
    named = ada("challenge", "grid-power", bob.name, "--rating-range", "1400-")
    assert (named.exit_code, named.stdout) == (1, "")
    assert "leave it out where you choose your opponent" in named.stderr
    ada.done("challenge", "grid-power", "--rating-range", "1400-")
    [found, _] = json_lines(bob("matches", "--seeks", "--player", ada.name, "--json"))
    bob.done("join", found["id"])
    match = begun(ada, bob, "grid-power", "--rated")
    assert f"Rated: {ada.name} 1500?, {bob.name} 1500?\n" in bob.done("show", match)
