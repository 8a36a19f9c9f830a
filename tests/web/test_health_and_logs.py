"""What those who run the service look at: health, figures, the log."""

from __future__ import annotations

import errno
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import structlog
import time_machine
from flask import Flask
from typing_extensions import override

from services.container import Services
from services.runtime.logs import LineWriter, configure_logs
from services.runtime.settings import Settings
from tests.support.figures import figures_of
from tests.web.people import Person, problem
from web.app import create_app


def test_a_living_process_says_so(app: Flask) -> None:
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "alive"})


def test_a_process_is_ready_on_a_database_at_head(app: Flask) -> None:
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ready", "worker": "missing"})
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_process_says_whether_a_worker_is_there(app: Flask, house: Services) -> None:
    """It serves all the same without: what waits is ended by time, and signed, later."""
    client = app.test_client()
    assert client.get("/readyz").json == {"status": "ready", "worker": "missing"}
    house.downtime.beat()
    assert client.get("/readyz").json == {"status": "ready", "worker": "there"}
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=4)):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ready", "worker": "missing"})


def test_a_process_is_not_ready_without_its_schema(tmp_path: Path) -> None:
    (tmp_path / "empty.sqlite").touch()
    house = Services(Settings(database_url=str(tmp_path / "empty.sqlite"), rate_limit=0))
    answer = Person(create_app(house).test_client()).visit("/readyz")
    problem(answer, 503, "unavailable")
    assert "Retry-After" in answer.headers
    house.close()


def test_a_process_is_not_ready_without_its_database_and_tells_nobody_where_that_is(
    tmp_path: Path,
) -> None:
    house = Services(Settings(database_url=str(tmp_path / "none.sqlite"), rate_limit=0))
    anyone = Person(create_app(house).test_client())
    for path in ("/readyz", "/api/v1/matches"):
        answer = anyone.visit(path)
        problem(answer, 503, "unavailable")
        assert "none.sqlite" not in answer.text
    assert anyone.visit("/healthz").status_code == 200
    house.close()


def test_what_is_counted_is_not_shown_where_players_ask(app: Flask, ada: Person) -> None:
    assert ada.visit("/metrics").status_code == 404
    for path in ("/metrics", "/metrics/", "/api/v1/metrics"):
        answer = app.test_client().get(path)
        assert answer.status_code == 404
        assert "plybook_requests" not in answer.text


def test_requests_are_counted_by_route_and_not_by_path(app: Flask, ada: Person) -> None:
    match = ada.create()
    ada.look(match)
    ada.get("/none/of/this")
    text = figures_of(app)
    assert (
        'plybook_requests_total{method="GET",route="/api/v1/matches/<match_id>",status="200"} 1.0'
    ) in text
    assert 'plybook_requests_total{method="none",route="none",status="404"} 1.0' in text
    assert "plybook_request_seconds_bucket" in text
    assert match["id"] not in text


def test_a_request_is_one_line_of_the_log(ada: Person, log: io.BytesIO) -> None:
    configure_logs(Settings(log_format="json"))
    answer = ada.get("/games?x=secret")
    line = orjson.loads(log.getvalue())
    assert line.pop("milliseconds") >= 0
    assert abs(datetime.now(UTC) - datetime.fromisoformat(line.pop("timestamp"))).seconds < 60
    assert line == {
        "event": "request",
        "level": "info",
        "method": "GET",
        "path": "/api/v1/games",
        "status": 400,
        "request_id": answer.headers["X-Request-Id"],
    }


def test_requests_are_no_lines_of_a_log_of_warnings(ada: Person, log: io.BytesIO) -> None:
    configure_logs(Settings(log_level="info"))
    configure_logs(Settings(log_level="warning"))
    ada.get("/games")
    assert log.getvalue() == b""


def test_the_log_is_json_on_demand_and_keeps_variables_to_itself(log: io.BytesIO) -> None:
    configure_logs(Settings(log_format="json"))
    _fail()
    line = orjson.loads(log.getvalue())
    assert (line["event"], line["level"]) == ("fault", "error")
    assert "ZeroDivisionError" in line["exception"]
    assert "hunter2" not in log.getvalue().decode()


def test_the_log_is_text_otherwise_and_keeps_variables_to_itself(log: io.BytesIO) -> None:
    configure_logs(Settings(log_format="text"))
    _fail()
    text = log.getvalue().decode()
    assert "ZeroDivisionError" in text
    assert "hunter2" not in text


def test_the_log_is_silent_below_its_level(log: io.BytesIO) -> None:
    configure_logs(Settings(log_level="warning"))
    structlog.get_logger().info("nothing")
    structlog.get_logger().warning("something")
    assert log.getvalue().count(b"\n") == 1


def test_a_line_is_written_at_once_and_whole_where_the_system_takes_less(tmp_path: Path) -> None:
    class Reluctant(io.FileIO):
        """A file that takes seven bytes at a time."""

        @override
        def write(self, data: Any, /) -> int:
            return super().write(data[:7])

    with io.BufferedWriter(Reluctant(tmp_path / "log", "w")) as file:
        LineWriter(file).info(b"a line of the log")
        assert (tmp_path / "log").read_bytes() == b"a line of the log\n"


def test_behind_half_a_line_the_next_one_begins_anew(tmp_path: Path) -> None:
    room = [5, 0]

    class Full(io.FileIO):
        """Takes five bytes, has no room for more, and then has it again."""

        @override
        def write(self, data: Any, /) -> int:
            size = room.pop(0) if room else len(data)
            if not size:
                raise OSError(errno.ENOSPC, "full")
            return super().write(data[:size])

    with io.BufferedWriter(Full(tmp_path / "log", "w")) as file:
        log = LineWriter(file)
        for line in (b"the first line", b"the second", b"the third"):
            log.info(line)
    assert (tmp_path / "log").read_bytes() == b"the f\nthe second\nthe third\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_log_without_room_keeps_nobody_from_an_answer() -> None:
    with open("/dev/full", "wb", 0) as file:  # noqa: PTH123 - a device
        LineWriter(file).info(b"a line that goes nowhere")


@pytest.mark.parametrize("wrong", [{"log_level": "loud"}, {"log_format": "xml"}])
@pytest.mark.usefixtures("log")
def test_a_log_that_there_is_not_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="PLYBOOK_LOG_"):
        configure_logs(Settings(**wrong))  # type: ignore[arg-type]


def _fail() -> None:
    password = "hunter2"
    try:
        len(password) / 0
    except ZeroDivisionError as error:
        structlog.get_logger().error("fault", exc_info=error)
