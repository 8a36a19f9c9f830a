"""Ports of this machine that nobody listens on."""

import socket


def free_port() -> int:
    """Give a port of 127.0.0.1 that is free now (whoever binds it next may be somebody else)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
