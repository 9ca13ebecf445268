"""What an operator can set, each by an environment variable; `docs/operations.md` lists them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

PREFIX = "ATTENTION_LAB_"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits of nginx. A lecture hall is one address, so what holds for an address holds for a class."""

    connections: int = 8192
    """Connections that one worker of nginx holds at once; a page takes two."""
    connections_per_address: int = 2000
    """Connections from one address at once: browsers open up to six and a websocket."""
    sessions_per_address: int = 500
    """Websockets, so pages, that are open from one address at once."""
    arrivals_per_second: int = 20
    """Pages that one address opens in a second, once `arrivals_at_once` have been opened."""
    arrivals_at_once: int = 200
    """Pages that one address opens at once without waiting."""
    arrivals_burst: int = 500
    """Pages that are opened at once, waiting included; more are refused, and their browsers try again."""
    requests_per_second: int = 200
    """Requests from one address in a second; a page takes five, and scripts and styles are not counted."""
    requests_burst: int = 4000
    """Requests from one address that are answered at once; more are refused."""

    def __post_init__(self) -> None:
        """Raises ValueError for a limit below one, and where more are let through than may wait."""
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise ValueError(
                    f"{variable(field.name)} must be at least 1, got {getattr(self, field.name)}"
                )
        if self.arrivals_at_once > self.arrivals_burst:
            raise ValueError(
                f"{variable('arrivals_at_once')} must not be more than {variable('arrivals_burst')}, "
                f"got {self.arrivals_at_once} and {self.arrivals_burst}"
            )


def variable(name: str) -> str:
    """The environment variable that sets `name`."""
    return PREFIX + name.upper()


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that `environment` asks for; ValueError names what is not a number."""
    asked = {}
    for field in fields(Settings):
        text = environment.get(variable(field.name), "")
        if text and not text.isdecimal():
            raise ValueError(f"{variable(field.name)} must be a whole number, got {text!r}")
        if text:
            asked[field.name] = int(text)
    return Settings(**asked)
