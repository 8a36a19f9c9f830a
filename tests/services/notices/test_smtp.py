"""A mail server that never comes to an end is left in time, whatever it is asked for."""

from __future__ import annotations

import socketserver
import ssl
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import ClassVar

import pytest
from typing_extensions import override

from services.runtime.mail_server import read_mail_server
from tests.services.notices.mail import Post
from tests.support.mail_server import certificate


class Handshaking(socketserver.BaseRequestHandler):
    """Is slow until it is to encrypt, slower then, and says a little again and again."""

    shown: ClassVar[ssl.SSLContext]

    @override
    def handle(self) -> None:
        with suppress(OSError):
            for _ in range(9):
                self.request.sendall(b"220-\r\n")
                sleep(0.1)
            self.request.sendall(b"220 ok\r\n")
            self.request.recv(100)
            self.request.sendall(b"250-here\r\n250 STARTTLS\r\n")
            self.request.recv(100)
            self.request.sendall(b"220 go on\r\n")
            # The time for the whole mail is over meanwhile.
            sleep(0.3)
            secure, end = self.shown.wrap_socket(self.request, server_side=True), monotonic() + 8
            while monotonic() < end:
                secure.sendall(b"250-\r\n")
                sleep(0.02)


def test_a_server_whose_time_is_up_while_it_encrypts_is_left(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.confirmed()
    post.house.emails.test(post.there.second)
    Handshaking.shown, trusting = certificate(tmp_path)
    monkeypatch.setattr("services.notices.smtp._make_ssl_context", lambda: trusting)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handshaking) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.02,)).start()
        began = monotonic()
        there = read_mail_server(f"smtp://127.0.0.1:{server.server_address[1]}")
        assert post.deliver(server=there, patience=0.4) == {"sent": 0, "not_sent": 1}
        took = monotonic() - began
        server.shutdown()
    assert took < 6
    assert post.sent()[0].reason == "no-server"
