"""What the type checker says of a piece of code that uses ours."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def faults_of(code: str, folder: Path) -> list[tuple[int, str]]:
    """Write code to a folder and check it strictly; return each fault, by its line."""
    path = folder / "checked.py"
    path.write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file="]
    command += [f"--cache-dir={folder / 'cache'}", str(path)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not checked.stderr, checked.stderr
    found = (line.removeprefix(f"{path}:").split(": ", 1) for line in checked.stdout.splitlines())
    return [(int(line), text) for line, text in found]
