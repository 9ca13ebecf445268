"""Settings for operators, each by an environment variable; `docs/operations.md` lists them."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from access.logs import JSON
from access.rules import networks

PREFIX = "ATTENTION_LAB_"
IS_PATH = re.compile(r"/[^\"\\;{}$\n]+")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits of nginx, its certificate, logs and trusted proxies.

    A lecture hall is one address, so a limit for an address applies to a class.
    """

    connections: int = 8192
    """Connections that one worker of nginx holds at once; a page takes two."""
    connections_per_address: int = 2000
    """Connections from one address at once: browsers open up to six and a websocket."""
    sessions_per_address: int = 500
    """Websockets from one address that are open at once, one for each page."""
    arrivals_per_second: int = 20
    """Pages that one address opens in a second, once `arrivals_at_once` have been opened."""
    arrivals_at_once: int = 200
    """Pages that one address opens at once without waiting."""
    arrivals_burst: int = 500
    """Pages that one address opens at once, those that wait included; browsers try again if refused."""
    requests_per_second: int = 200
    """Requests from one address in a second; a page takes five, and scripts and styles are not counted."""
    requests_burst: int = 4000
    """Requests from one address that are answered at once; more are refused."""
    phone_requests_per_second: int = 400
    """Requests of phones in rooms, from one address in a second; each asks every two seconds."""
    phone_requests_burst: int = 4000
    """Requests of phones from one address that are answered at once; more are refused, and they try again."""
    certificate: str = ""
    """A file with the server's certificate and its chain; without it connections are not encrypted."""
    key: str = ""
    """The file with the key of that certificate."""
    logs: str = ""
    """`json` for lines of JSON."""
    proxy: str = ""
    """Networks of trusted proxies before nginx, separated by commas, for X-Forwarded-Proto and -For."""

    def __post_init__(self) -> None:
        """Raise ValueError for a limit below 1, and for text that would end a line of the configuration."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int) and value < 1:
                raise ValueError(f"{variable(field.name)} must be at least 1, got {value}")
        if self.arrivals_at_once > self.arrivals_burst:
            raise ValueError(
                f"{variable('arrivals_at_once')} must not be more than {variable('arrivals_burst')}, "
                f"got {self.arrivals_at_once} and {self.arrivals_burst}"
            )
        if bool(self.certificate) != bool(self.key):
            raise ValueError(f"{variable('certificate')} and {variable('key')} go together, got one of them")
        if self.logs not in ("", JSON):
            raise ValueError(f"{variable('logs')} must be {JSON} or nothing, got {self.logs!r}")
        for name in ("certificate", "key"):
            if getattr(self, name) and not IS_PATH.fullmatch(getattr(self, name)):
                raise ValueError(
                    f"{variable(name)} must be an absolute path without quotes, got {getattr(self, name)!r}"
                )
        networks(self.proxy)

    @property
    def proxies(self) -> tuple[str, ...]:
        """The proxies as networks; raises ValueError if a value is neither an address nor a network."""
        return networks(self.proxy)


def variable(name: str) -> str:
    """Return the environment variable that sets `name`."""
    return PREFIX + name.upper()


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings from `environment`. Raises ValueError if a limit is not a number."""
    texts = {field.name: environment.get(variable(field.name), "") for field in fields(Settings)}
    numbers = {field.name for field in fields(Settings) if field.type is int}
    for name, text in texts.items():
        if text and name in numbers and not text.isdecimal():
            raise ValueError(f"{variable(name)} must be a whole number, got {text!r}")
    asked: dict[str, Any] = {
        name: int(text) if name in numbers else text for name, text in texts.items() if text
    }
    return Settings(**asked)
