"""The README's tours run as they stand, against a demo server of their own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.docs.warm_program import warm_program
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = Path(sys.executable).with_name("plybook")


def _blocks(tag: str) -> str:
    """Return the shell blocks of a tour, one after the other."""
    return "\n".join(re.findall(rf"```sh {tag}\n(.*?)```", README, re.DOTALL))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """Serve the demo; give its port and the path of its database."""
    port, path = free_port(), str(tmp_path_factory.mktemp("demo") / "demo.sqlite3")
    command = [str(PROGRAM), "demo", "--port", str(port), "--database", path]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _await(port)
            yield port, path
        finally:
            process.terminate()
            process.wait(30)


def _await(port: int) -> None:
    ends = monotonic() + 60
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        assert monotonic() < ends, "the demo does not come up"
        sleep(0.2)


def _run(script: str, folder: Path, **environment: str) -> str:
    ran = subprocess.run(
        ["sh", "-eu"],
        input=script,
        cwd=folder,
        env={**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_tour_by_curl_runs_twice(demo: tuple[int, str], tmp_path: Path) -> None:
    port, _ = demo
    tour = _blocks("tour").replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    for time in ("first", "second"):
        told = _run(tour, tmp_path)
        lines = told.splitlines()
        assert ("name-taken" in lines[0]) == (time == "second")
        assert lines[0].startswith('{"id":"p_') == (time == "first")
        assert "'text': '0=1'" in told
        assert lines[3] == lines[4], "the second try gives the first answer again"
        assert "'energy': 12" in told
        assert told.count('"kind":"move-made"') == 1
        assert lines[-1].startswith("P1 places")


def test_the_tour_at_the_terminal_runs_twice(demo: tuple[int, str], tmp_path: Path) -> None:
    _, path = demo
    tour = _blocks("terminal").replace("services/", f"{ROOT}/services/")
    warm = tmp_path / "warm"
    warm.mkdir()
    with warm_program(warm):
        # By the program that was installed, and what it has left in the database once more.
        for place in (PROGRAM.parent, warm):
            there = f"{place}:{os.environ['PATH']}"
            told = _run(tour, tmp_path, PATH=there, PLYBOOK_DATABASE_URL=path)
            assert "path-capture" in told
            assert "holds" in told
            assert told.splitlines()[-1].startswith(
                "fmt5ref618dbp8kt: holds (13 events; 0 seals closed"
            )


def test_every_link_to_a_file_leads_to_one() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
