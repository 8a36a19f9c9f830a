"""What the page for auditors shows runs as it stands, on the demo matches."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from seeds import loader
from services.container import Services
from services.runtime.settings import Settings
from services.store import schema
from tests.docs.warm_program import warm_program

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "auditing.md").read_text(encoding="utf-8")


@pytest.fixture
def demo(tmp_path: Path) -> str:
    """Give the path of a database with the demo matches."""
    path = str(tmp_path / "demo.sqlite3")
    schema.upgrade(path)
    house = Services(Settings(database_url=path))
    loader.load(house)
    house.close()
    return path


def test_the_walk_through_an_audit_runs(
    demo: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tmp_path_factory.mktemp("program")
    with warm_program(program):
        ran = subprocess.run(
            ["sh", "-eu"],
            input="\n".join(re.findall(r"```sh audit\n(.*?)```", PAGE, re.DOTALL)),
            cwd=tmp_path,
            env={
                **os.environ,
                "PATH": f"{program}:{os.environ['PATH']}",
                "PLYBOOK_DATABASE_URL": demo,
            },
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    told = ran.stdout
    assert re.search(r"^Match [0-9a-z]{16} holds ", told, re.MULTILINE)
    head = re.search(r"^The last hash is ([0-9a-f]{64})$", told, re.MULTILINE)
    assert head is not None
    last = (tmp_path / "events.ndjson").read_text(encoding="utf-8").splitlines()[-1]
    assert f'"hash":"{head[1]}"' in last
    assert re.search(r"^[0-9a-z]{16}@[0-9]+  P[12] .* captures ", told, re.MULTILINE)
    assert re.search(r"^.* \(@5\) -> .* \(@6\)$", told, re.MULTILINE)
    assert (tmp_path / "ada.csv").read_text(encoding="utf-8").startswith("game,of,matches,")
