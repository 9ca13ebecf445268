"""Writes the configuration of nginx: the file beside this one filled in, and who the processes are."""

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from deploy.settings import Settings

HERE = Path(__file__).parent
COOKIE = "attention_lab_process"
"""A browser brings back in it the name of the process that has its page."""


NO_PROXY = "255.255.255.255"
"""An address that nobody has: no proxy is believed."""


@dataclass(frozen=True)
class Process:
    """A process of the app: a name of letters and digits, and where it listens, as host:port."""

    name: str
    address: str


WHEN_GONE = "max_fails=1 fail_timeout=3s"
"""A process that refuses a connection is passed over for so long; then the next request tries it again."""


def upstreams(processes: Sequence[Process]) -> str:
    """The groups of processes, and the maps that lead a visitor to one of them.

    Nobody's cookie: the process with the fewest pages that have come in this way. Somebody who has been
    here: the process that answered last, and where it is gone any other, which takes its place in the
    cookie. A hash of the cookie would do neither: it shares out unevenly, and when a process is back, it
    asks it for the files of pages that have moved to another.
    """
    servers = [f"server {process.address} {WHEN_GONE};" for process in processes]
    serving = " ".join(process.name for process in processes)
    blocks = [
        _block("upstream anyone", ["zone anyone 128k;", *servers]),
        _block("upstream newcomers", ["zone newcomers 128k;", "least_conn;", *servers]),
        *(_home(process, servers) for process in processes),
        *_maps(processes),
        _block('map "" $serving', [f'default "{serving}";']),
    ]
    return "\n\n".join(["# Written by `python -m deploy.serve`.", *blocks]) + "\n"


def _home(process: Process, servers: Sequence[str]) -> str:
    """The group in which `process` comes first, and the others stand by."""
    group, own = f"home_{process.name}", f"server {process.address} "
    standing_by = [server[:-1] + " backup;" for server in servers if not server.startswith(own)]
    first = [server for server in servers if server.startswith(own)]
    return _block(f"upstream {group}", [f"zone {group} 128k;", "least_conn;", *first, *standing_by])


def _maps(processes: Sequence[Process]) -> list[str]:
    """Maps from the cookie to the group, and from the address that answered to its name and its cookie."""
    named = [f"{process.name} home_{process.name};" for process in processes]
    # After a retry all addresses that were tried stand there, and the last one has answered.
    answered = [f'"~{re.escape(process.address)}$" {process.name};' for process in processes]
    cookie = f"{COOKIE}=$answered; Path=$base/; HttpOnly; SameSite=Lax$secure"
    return [
        _block(f"map $cookie_{COOKIE} $home", ["default newcomers;", *named]),
        _block("map $upstream_addr $answered", [f"default $cookie_{COOKIE};", *answered]),
        _block(
            f"map $cookie_{COOKIE}:$answered $settles",
            [f'default "{cookie}";', r'"~^(?<same>.*):\k<same>$" "";'],
        ),
    ]


def _block(head: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{head} {{", *(f"    {line}" for line in lines), "}"])


def write(
    folder: Path, processes: Sequence[Process], settings: Settings, *, listen: str, base: str = ""
) -> None:
    """Lay in `folder` what nginx needs to be started there with `nginx -p FOLDER -c nginx.conf`.

    The app is served below the path `base`, such as `/lab`.
    """
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # nginx's sockets and the logs are for whoever serves
    proxies = settings.proxies or (NO_PROXY,)
    values = {name.upper(): str(value) for name, value in asdict(settings).items()} | {
        "BASE": base,
        "LOGS": "without_visitors_as_json" if settings.logs else "without_visitors",
        "REAL_IP_FROM": " ".join(f"set_real_ip_from {proxy};" for proxy in proxies),
        "PROXIES": " ".join(f"{proxy} 1;" for proxy in proxies),
        "LISTEN": listen + (" ssl http2" if settings.certificate else ""),
        "CERTIFICATE": _certificate(settings),
        "FOLDER": str(folder),
        "OPEN_FILES": str(2 * settings.connections),
        # Who is not root cannot choose; of root nginx would make nobody, who may not enter the folder.
        "USER": "user root;" if os.geteuid() == 0 else "",
    }
    for name in ("nginx.conf", "tls.conf"):
        _put(folder / name, Template((HERE / name).read_text("utf-8")).safe_substitute(values))
    write_upstreams(folder, processes)


def _certificate(settings: Settings) -> str:
    """What has connections encrypted, or nothing where no certificate is given."""
    if not settings.certificate:
        return ""
    return (
        f'ssl_certificate "{settings.certificate}"; ssl_certificate_key "{settings.key}"; include tls.conf;'
    )


def write_upstreams(folder: Path, processes: Sequence[Process]) -> None:
    """Lead visitors to other processes from the next start or reload on."""
    _put(folder / "upstreams.conf", upstreams(processes))


def serving(folder: Path) -> list[str]:
    """The names of the processes that visitors are led to, in the order they were given."""
    found = re.search(
        r'map "" \$serving {\s*default "([^"]*)"', (folder / "upstreams.conf").read_text("utf-8")
    )
    return found[1].split() if found else []


def _put(path: Path, text: str) -> None:
    """Replace a file at once, so that nobody reads half of it."""
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)
