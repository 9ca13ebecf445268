"""Where the app is: on this machine, and nowhere else."""

from dataclasses import dataclass
from urllib.parse import urlsplit

HOSTS = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Address:
    """A server on this machine."""

    port: int

    @property
    def host(self) -> str:
        """What a browser would name it."""
        return f"localhost:{self.port}"

    @property
    def origin(self) -> str:
        """The beginning of every link to it."""
        return f"http://{self.host}"


def on_this_machine(url: str) -> Address:
    """The address in `url`. Raises ValueError for any that is not plain HTTP on this machine.

    A generator of load that can be pointed at others is a weapon: no name is looked up, two are taken.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname not in HOSTS or parts.username or parts.port is None:
        raise ValueError(f"expected http://localhost:PORT or http://127.0.0.1:PORT, got {url}")
    return Address(parts.port)


def own_address(number: int) -> str:
    """An address on this machine for the visitor of that number, so that a proxy takes each for another.

    Linux answers to all of 127.0.0.0/8; a classroom has an address for each student.
    """
    high, low = divmod(number, 250)
    return f"127.0.{1 + high}.{1 + low}"
