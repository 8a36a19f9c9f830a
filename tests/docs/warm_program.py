"""The program as a shell finds it, without the time that a start takes.

    with warm_program(folder):
        subprocess.run(["sh"], env={"PATH": f"{folder}:{os.environ['PATH']}"}, ...)

``plybook`` in that folder hands over what it was called with (words, folder, environment, streams)
and becomes a process of ``tests.support.warm``. Pages that call the program dozens of times are
followed so: each start is half a second of processor time. ``test_readme`` calls the true one, too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import AF_UNIX, recv_fds, socket
from threading import Thread

from tests.cli.processes import CODE
from tests.support.warm import WarmPopen

HANDED_OVER = """#!{python} -IS
import json, os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect({place!r})
body = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(asked, [len(body).to_bytes(8, "big")], [0, 1, 2])
asked.sendall(body)
sys.exit(int.from_bytes(asked.recv(1), "big"))
"""


@contextmanager
def warm_program(folder: Path) -> Iterator[None]:
    """Put ``plybook`` into a folder, for as long as the block lasts."""
    place = folder / "asked"
    program = folder / "plybook"
    program.write_text(HANDED_OVER.format(python=sys.executable, place=str(place)))
    program.chmod(0o755)
    with socket(AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()
        thread = Thread(target=_answer, args=(listening,))
        thread.start()
        try:
            yield
        finally:
            with socket(AF_UNIX) as last:
                last.connect(str(place))
            thread.join()


def _answer(listening: socket) -> None:
    """Run each call to its end, in a thread of its own: calls may be parts of one pipe."""
    with ExitStack() as calls:
        while True:
            asked, _ = listening.accept()
            head, streams, _, _ = recv_fds(asked, 8, 3)
            if not head:
                asked.close()
                return
            thread = Thread(target=_run, args=(asked, int.from_bytes(head, "big"), streams))
            thread.start()
            calls.callback(thread.join)


def _run(asked: socket, size: int, streams: list[int]) -> None:
    with asked, asked.makefile("rb") as content:
        words, cwd, environment = json.loads(content.read(size))
        code = f"import os; os.chdir({cwd!r}); {CODE}"
        given, told, errors = streams
        with WarmPopen(
            code, *words, env=environment, stdin=given, stdout=told, stderr=errors
        ) as ran:
            for stream in streams:
                os.close(stream)
            asked.sendall(bytes([ran.wait() % 256]))
