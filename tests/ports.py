"""Ports for servers that take a number and no socket: free a moment ago, so whoever is refused asks again."""

import random
import socket


def free_ports(count: int) -> int:
    """The first of so many ports in a row on which nobody listens.

    They lie below those that the system hands out to whoever connects: who asks one of those whether anybody
    is there yet can be given that very port, and then hears itself.
    """
    while True:
        first = random.randrange(20_000, 30_000)
        if not any(_listens(port) for port in range(first, first + count)):
            return first


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
