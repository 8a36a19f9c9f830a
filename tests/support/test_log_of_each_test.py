"""A module's logger writes to the log of the test that runs, whatever earlier ones have set up."""

from __future__ import annotations

import pytest
import structlog

from services.runtime.logs import configure_logs
from services.runtime.settings import Settings

_log = structlog.get_logger(__name__)


@pytest.mark.parametrize("time", ["first", "second"])
def test_the_logger_of_a_module_follows(capsys: pytest.CaptureFixture[str], time: str) -> None:
    _log.info("of no log that was set up")
    assert capsys.readouterr() == ("", "")
    configure_logs(Settings())
    _log.warning(f"the {time} time")
    _log.info(f"a request, the {time} time")
    written = capsys.readouterr().err
    assert f"warning the {time} time" in written
    assert f"a request, the {time} time" in written
