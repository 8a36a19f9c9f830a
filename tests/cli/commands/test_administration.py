"""Games, rule books, players, settings, the schema; and how failures are told."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from domain.games import load_games
from tests.cli.calls import Plybook, begun, json_lines


def test_games_are_listed_with_their_options(plybook: Plybook) -> None:
    shown = plybook("games").stdout
    for game in load_games():
        assert f"{game.slug}  {game.name}\n" in shown
        assert all(f"  {option.name}=" in shown for option in game.options)
        assert all(f"  {setting.name} (of a seat)  " in shown for setting in game.settings)
    assert max(map(len, shown.splitlines())) <= 80
    slugs = [one["slug"] for one in json_lines(plybook("games", "--json"))]
    assert slugs == [game.slug for game in load_games()]


@pytest.mark.parametrize("game", [game.slug for game in load_games()])
def test_a_piped_rule_book_stays_markdown(plybook: Plybook, game: str) -> None:
    shown = plybook("rules", game).stdout
    assert shown.startswith("# ")
    assert "\n## " in shown


def test_rules_are_shown_in_the_version_that_is_asked_for(plybook: Plybook) -> None:
    newest = plybook("rules", "path-capture").stdout
    assert plybook("rules", "path-capture", "--rules-version", "1").stdout == newest
    refused = plybook("rules", "path-capture", "--rules-version", "9")
    assert refused.exit_code != 0
    assert "rules_version 9" in refused.stderr


def test_players_are_added_get_passwords_and_rights(plybook: Plybook, database: Path) -> None:
    added = plybook("player", "add", "ada", typed="correct horse battery\n")
    assert added.exit_code == 0
    assert added.stdout.startswith("ada is p_")
    assert plybook("player", "add", "Ada", typed="correct horse battery\n").exit_code == 1
    assert plybook("player", "password", "ada", typed="another long password\n").exit_code == 0
    assert plybook("player", "admin", "ada").stdout == "ada is an administrator.\n"
    assert is_admin(database)
    assert plybook("player", "admin", "ada", "--revoke").exit_code == 0
    assert not is_admin(database)


def is_admin(database: Path) -> bool:
    connection = sqlite3.connect(database)
    [(admin,)] = connection.execute("SELECT admin FROM players WHERE name = 'ada'").fetchall()
    connection.close()
    return bool(admin)


def test_a_password_that_is_too_short_is_refused(plybook: Plybook) -> None:
    refused = plybook("player", "add", "ada", typed="x\n")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: A password ")


def test_a_player_whom_there_is_not_is_exit_code_4(plybook: Plybook) -> None:
    assert plybook("player", "admin", "nobody").exit_code == 4


def test_settings_are_listed_with_value_default_and_meaning(plybook: Plybook) -> None:
    shown = plybook("settings", PLYBOOK_RATE_LIMIT="0").stdout
    assert "* PLYBOOK_RATE_LIMIT=0\n    Requests a minute" in shown
    assert "Default: 600." in shown
    assert "  PLYBOOK_PORT=8080\n" in shown
    listed = json_lines(plybook("settings", "--json", PLYBOOK_RATE_LIMIT="0"))
    assert {"name": "PLYBOOK_RATE_LIMIT", "value": 0, "default": 600}.items() <= next(
        one for one in listed if one["name"] == "PLYBOOK_RATE_LIMIT"
    ).items()


def test_no_password_is_shown_among_the_settings(plybook: Plybook) -> None:
    url = "postgresql://plybook:s3cret@db.example/plybook"
    shown = plybook("settings", PLYBOOK_DATABASE_URL=url).stdout
    assert "db.example" in shown
    assert "s3cret" not in shown


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"PLYBOOK_PORT": "many"}, "PLYBOOK_PORT"),
        ({"PLYBOOK_DATABASE_URL": "mysql://db/x"}, "Plybook knows SQLite and PostgreSQL"),
        ({"PLYBOOK_LOG_FORMAT": "xml"}, "PLYBOOK_LOG_FORMAT is text or json."),
    ],
)
def test_a_setting_that_cannot_be_is_exit_code_2(
    plybook: Plybook, environment: dict[str, str], said: str
) -> None:
    refused = plybook("match", "list", **environment)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_database_may_be_named_before_and_after_the_command(
    plybook: Plybook, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "plybook.sqlite3"
    assert plybook("--database", str(other), "db", "upgrade").exit_code == 0
    assert other.exists()
    begun(plybook, "path-capture")
    assert plybook("--database", str(other), "match", "list", "--json").stdout == ""
    assert plybook("match", "list", "--json", "--database", str(other)).stdout == ""
    assert len(json_lines(plybook("match", "list", "--json"))) == 1


def test_a_database_that_is_not_there_is_refused_with_the_command_to_run(
    plybook: Plybook, tmp_path: Path
) -> None:
    missing = str(tmp_path / "missing.sqlite3")
    for words in (("match", "list"), ("serve",), ("db", "check"), ("play", "path-capture")):
        refused = plybook("--database", missing, *words)
        assert refused.exit_code == 1
        assert refused.stderr.startswith("Error: There is no database ")
        assert refused.stderr.endswith("run: plybook db upgrade\n")
    assert not Path(missing).exists()


def test_a_file_that_is_no_database_is_said_in_a_sentence(plybook: Plybook, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 500, encoding="utf-8")
    refused = plybook("--database", str(file), "match", "list")
    assert refused.exit_code == 1
    assert "file is not a database" in refused.stderr


@pytest.mark.parametrize("name", ["x" * 300, "letter.txt/plybook.sqlite3"])
def test_a_database_that_cannot_be_made_is_told_in_a_sentence(
    plybook: Plybook, tmp_path: Path, name: str
) -> None:
    (tmp_path / "letter.txt").touch()
    path = ("--database", str(tmp_path / name))
    refused = plybook(*path, "db", "upgrade")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert refused.stderr.startswith(f"Error: The database sqlite:///{tmp_path / name} cannot be")
    missing = plybook(*path, "match", "list")
    assert (missing.exit_code, missing.stderr.count("\n")) == (1, 1)
    assert missing.stderr.endswith("To make it, run: plybook db upgrade\n")


def test_the_schema_goes_up_and_down(plybook: Plybook, tmp_path: Path) -> None:
    path = ("--database", str(tmp_path / "p.sqlite3"))
    missing = plybook(*path, "db", "current")
    assert missing.exit_code == 1
    assert "To make it, run: plybook db upgrade" in missing.stderr
    assert plybook(*path, "db", "upgrade", "0001").exit_code == 0
    behind = plybook(*path, "db", "check")
    assert behind.exit_code == 1
    assert "at schema 0001" in behind.stderr
    assert plybook(*path, "db", "upgrade").exit_code == 0
    assert "(the newest)" in plybook(*path, "db", "current").stdout
    assert plybook(*path, "db", "check").exit_code == 0
    assert "is empty" in plybook(*path, "db", "downgrade", "base").stdout


def test_what_differs_from_the_schema_is_told_line_by_line(
    plybook: Plybook, database: Path
) -> None:
    connection = sqlite3.connect(database)
    connection.execute("DROP INDEX ix_tokens_player")
    connection.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY)")
    connection.close()
    checked = plybook("db", "check")
    assert checked.exit_code == 1
    assert sorted(checked.stdout.splitlines()) == [
        "The index ix_tokens_player over player of the table tokens is missing.",
        "The table letters should not be there.",
    ]
    assert checked.stderr.endswith("plybook.sqlite3 is not as this release made it.\n")


def test_events_are_dropped_only_when_that_is_asked_for(plybook: Plybook) -> None:
    begun(plybook, "path-capture")
    refused = plybook("db", "downgrade", "base")
    assert refused.exit_code == 1
    assert "--destroy-events" in refused.stderr
    assert len(json_lines(plybook("match", "list", "--json"))) == 1
    assert plybook("db", "downgrade", "base", "--destroy-events").exit_code == 0


def test_a_revision_that_there_is_not_is_refused(plybook: Plybook) -> None:
    assert plybook("db", "upgrade", "9999").exit_code == 1


def test_wrong_usage_is_exit_code_2(plybook: Plybook) -> None:
    for words in (("dance",), ("match", "dance"), ("rules",), ("replay", "x", "--speed", "0")):
        refused = plybook(*words)
        assert refused.exit_code == 2
        assert "Error: " in refused.stderr


def test_an_unknown_game_is_exit_code_4(plybook: Plybook) -> None:
    refused = plybook("rules", "chess")
    assert (refused.exit_code, refused.stderr) == (4, "Error: There is no game chess.\n")


def test_the_version_is_told(plybook: Plybook) -> None:
    assert plybook("--version").stdout.startswith("plybook 0.")


def test_a_damaged_log_is_exit_code_3(plybook: Plybook, database: Path) -> None:
    match = begun(plybook, "path-capture", "3")
    connection = sqlite3.connect(database)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DELETE FROM events WHERE version = 3")
    connection.commit()
    connection.close()
    damaged = plybook("match", "show", match)
    assert damaged.exit_code == 3
    assert "Error: The log is damaged" in damaged.stderr
    assert json.loads(plybook("verify", match, "--json").stdout)["holds"] is False


def test_accounts_are_suspended_and_messages_hidden_with_a_reason(plybook: Plybook) -> None:
    begun(plybook, "path-capture")
    assert plybook("moderation", "list").stdout.startswith("Nothing has been reported")
    assert plybook("moderation", "suspend", "ada").exit_code == 2
    done = plybook("moderation", "suspend", "ada", "--reason", "Threats.")
    assert (done.exit_code, done.stdout) == (0, "The account of ada is suspended.\n")
    assert plybook("moderation", "suspend", "ada", "--reason", "Threats.").exit_code == 4
    assert plybook("moderation", "lift", "ada", "--reason", "A mistake.").exit_code == 0
    newest, oldest = plybook("moderation", "list").stdout.splitlines()
    assert newest.endswith("lifted ada, by the operator: A mistake.")
    assert oldest.endswith("suspended ada, by the operator: Threats.")
    hidden = plybook("moderation", "hide", "0" * 16, "players", "1", "--reason", "x")
    assert (hidden.exit_code, hidden.stderr.count("Error")) == (4, 1)


def test_an_account_is_closed_after_a_question(plybook: Plybook) -> None:
    begun(plybook, "path-capture")
    kept = plybook("player", "close", "ada", typed="n\n")
    assert kept.exit_code == 130
    assert "Close the account of ada for good?" in kept.stderr
    closed = plybook("player", "close", "ADA", typed="y\n")
    assert (closed.exit_code, closed.stdout) == (0, "The account of ada is closed.\n")
    assert "closed account - bob" in plybook("match", "list").stdout
    again = plybook("player", "close", "ada", "--yes")
    assert (again.exit_code, again.stderr) == (4, "Error: There is no player of that name.\n")
    taken = plybook("player", "add", "ada", typed="correct horse battery\n")
    assert taken.exit_code == 1
