"""The address at which phones reach a server: the machine's, if its browser opens `localhost`."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

LOOPBACK = ("localhost", "127.", "[::1]", "::1")
EVERYWHERE = frozenset({"", "0.0.0.0", "::"})
"""Addresses at which a server listens on every network of its machine."""

ELSEWHERE = ("192.0.2.1", 9)
"""A reserved address (RFC 5737), to find the network interface that leads out. Nothing is sent to it."""

BY_NAME = "Phones cannot reach {}: open this page by the name of this machine in the network."
ON_LOCALHOST = (
    "Phones cannot reach this page: its server listens on localhost alone. "
    "Start it with the option --host 0.0.0.0, or with make run HOST=0.0.0.0. Then open this page again."
)
NO_NETWORK = "Phones cannot reach this page: this machine is not in a network. Join the network of the hall."


@dataclass(frozen=True)
class Reach:
    """The address of a server as phones have to type it, and a `warning` if they cannot reach it."""

    origin: str
    warning: str = ""


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach itself by this host name."""
    return host.lower().startswith(LOOPBACK)


def machine_address() -> str:
    """Return the address of this machine in its network; empty without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if is_loopback(found) else found


def reach(
    scheme: str,
    host: str,
    *,
    listens_on: str,
    is_forwarded: bool = False,
    machine: Callable[[], str] = machine_address,
) -> Reach:
    """Return how phones reach the server that a browser has asked under the name `host`, with its port.

    `listens_on` is the address that the server listens on. It does not count if another server has forwarded
    the request.
    """
    origin = f"{scheme}://{host}"
    if not is_loopback(host):
        return Reach(origin)
    if is_forwarded:
        return Reach(origin, BY_NAME.format(host))
    if listens_on not in EVERYWHERE and not is_loopback(listens_on):
        return Reach(f"{scheme}://{_with_port_of(host, listens_on)}")
    if listens_on not in EVERYWHERE:
        return Reach(origin, ON_LOCALHOST)
    address = machine()
    if not address:
        return Reach(origin, NO_NETWORK)
    return Reach(f"{scheme}://{_with_port_of(host, address)}")


def _with_port_of(host: str, address: str) -> str:
    port = host.rpartition("]")[2].partition(":")[2]
    return f"{address}:{port}" if port else address
