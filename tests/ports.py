"""Ports for servers that take a number and no socket; callers retry if another program was faster."""

import random
import socket


def free_ports(count: int) -> int:
    """Return the first of `count` successive ports on which no program listens.

    They are below the ports that the system gives to outgoing connections. A client that polls such a port
    can be given that same port, and then hears itself.
    """
    while True:
        first = random.randrange(20_000, 30_000)
        if not any(_listens(port) for port in range(first, first + count)):
            return first


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
