"""A real nginx as a plain process, with a folder of its own, as the operations page sets it up."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
PATIENCE = 20.0

_WHOLE = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{blocks}
}}
"""


def nginx_program() -> str:
    """Return the nginx that `./dev` found, or skip."""
    if path := os.environ.get("TEST_NGINX"):
        return path
    return pytest.skip(os.environ.get("TEST_NO_NGINX", "./dev was not asked to find nginx"))


def documented(*, path: bool) -> str:
    """Return what the operations page says to put into nginx; ``path``: to serve below a path."""
    blocks = re.findall(r"```nginx\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    whole, location = blocks
    if not path:
        return str(whole)
    start = whole.index("    location / {")
    end = whole.index("    }\n", start) + len("    }\n")
    return str(whole[:start] + location + whole[end:])


@contextmanager
def running_nginx(folder: Path, blocks: str, port: int, behind: int) -> Iterator[Path]:
    """Run nginx on a port of 127.0.0.1 before a service on another; give the log of accesses.

    The blocks are those of the document but for where they listen, and for TLS.
    """
    program = nginx_program()
    changed = blocks.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    changed = re.sub(r" *ssl_certificate.*\n", "", changed)
    changed = changed.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    assert str(port) in changed
    assert str(behind) in changed
    folder.mkdir()
    settings = folder / "nginx.conf"
    settings.write_text(_WHOLE.format(folder=folder, blocks=changed), encoding="utf-8")
    process = subprocess.Popen(
        [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(settings)],
        stderr=subprocess.PIPE,
    )
    try:
        _wait(process, port)
        yield folder / "access.log"
    finally:
        process.send_signal(signal.SIGQUIT if process.poll() is None else 0)
        try:
            process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    said = process.stderr.read().decode() if process.poll() is not None and process.stderr else ""
    raise RuntimeError(f"nginx did not start: {said}")
