"""`plybook sweep`: what is due is listed, ended, and counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson

from services.container import Services
from services.matches.requests import ChangeRequest, NewMatch
from services.matches.timeouts import Swept
from services.runtime.settings import Settings
from tests.cli.calls import Plybook, json_lines
from tests.cli.processes import Terminal, environment
from tests.services.conftest import Clock


def waiting(database: Path | str, *, ago: timedelta | None = None, served: bool = False) -> str:
    """Return a match that was begun long ago, by a clock of three days a turn."""
    now = _long_ago if ago is None else lambda: datetime.now(UTC) - ago
    house = Services(Settings(database_url=str(database)), now=now)
    ada, bob = (house.accounts.get_local_player(name).id for name in ("ada", "bob"))
    new = NewMatch("path-capture", seat=1, pace={"days_per_move": 3})
    match = house.matches.create(ChangeRequest(ada), new).shown.view.id
    house.matches.join(ChangeRequest(bob), match)
    house.matches.create(ChangeRequest(ada), NewMatch("path-capture"))
    if served:
        house.downtime.beat()
    house.close()
    return match


def _long_ago() -> datetime:
    return Clock().now.replace(year=2020)


def test_a_sweep_ends_what_is_due_once(plybook: Plybook, database: Path) -> None:
    match = waiting(database)
    listed = plybook("sweep", "--dry-run").stdout
    assert f"{match}  due since 2020-11-30T22:00:00.000000Z\n" in listed
    assert len(json_lines(plybook("sweep", "--dry-run", "--json"))) == 2
    assert plybook("sweep").stdout == (
        "Ended by the clock: 1.\nAborted, since nobody joined: 1.\nPractice matches let go: 0.\n"
        "Accounts deleted: 0.\n"
        "Expired answers, sessions and tokens removed: 0.\n"
        "Clocks given time back, since the service was away: 0.\n"
    )
    nothing = dict.fromkeys(Swept._fields, 0)
    assert json_lines(plybook("sweep", "--json")) == [nothing]
    assert plybook("sweep", "--dry-run").stdout == ""
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert shown["result"] == {"winner": 2, "reason": "timeout"}
    assert plybook("verify", match).exit_code == 0


def test_json_of_what_is_due_is_not_broken_at_a_terminal(database: Path) -> None:
    waiting(database)
    with Terminal(["sweep", "--dry-run", "--json"], environment(database), columns=40) as terminal:
        assert terminal.ends() == 0
        told = terminal.plain().splitlines()
    assert [sorted(orjson.loads(line)) for line in told] == [["deadline", "match"]] * 2


def test_a_sweep_while_no_server_runs_ends_no_clock(plybook: Plybook, database: Path) -> None:
    """One did once, so that it is known for how long none has."""
    match = waiting(database, ago=timedelta(days=20), served=True)
    assert match not in plybook("sweep", "--dry-run").stdout
    swept = json_lines(plybook("sweep", "--json"))[0]
    assert (swept["timeouts"], swept["given"]) == (0, 1)
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert (shown["status"], shown["clock"]["time_is_up"]) == ("active", False)
    assert plybook("verify", match).exit_code == 0


def test_a_sweep_of_a_database_that_only_the_terminal_uses_ends_clocks(
    plybook: Plybook, database: Path
) -> None:
    """A server once ran on it, longer ago than anybody waits for one to come back."""
    match = waiting(database, ago=timedelta(days=40), served=True)
    assert match in plybook("sweep", "--dry-run").stdout
    assert json_lines(plybook("sweep", "--json"))[0]["timeouts"] == 1
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert shown["result"] == {"winner": 2, "reason": "timeout"}
    assert plybook("verify", match).exit_code == 0
