"""Write the configuration of nginx: the template beside this file filled in, and the list of processes."""

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from deploy.settings import Settings

HERE = Path(__file__).parent
COOKIE = "attention_lab_process"
"""The cookie with the name of the process that has the browser's page."""


NO_PROXY = "255.255.255.255"
"""An address that no proxy has, so that no proxy is trusted."""


@dataclass(frozen=True)
class Process:
    """A process of the app: a name of letters and digits, and its address as host:port."""

    name: str
    address: str


WHEN_GONE = "max_fails=1 fail_timeout=3s"
"""A process that refuses a connection is skipped for this time; then the next request tries it again."""


def upstreams(processes: Sequence[Process]) -> str:
    """Return the groups of processes, and the maps that lead a visitor to a group.

    Without a cookie, a visitor gets the process with the fewest pages that were opened in this way. Later the
    visitor gets the process that answered last, or, if that is gone, another, whose name replaces it in the
    cookie. A hash of the cookie would distribute visitors unevenly. It would also ask a process that is back
    for the files of pages that have moved to another.
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
    """Return the group in which `process` comes first, and the others are backups."""
    group, own = f"home_{process.name}", f"server {process.address} "
    standing_by = [server[:-1] + " backup;" for server in servers if not server.startswith(own)]
    first = [server for server in servers if server.startswith(own)]
    return _block(f"upstream {group}", [f"zone {group} 128k;", "least_conn;", *first, *standing_by])


def _maps(processes: Sequence[Process]) -> list[str]:
    """Return the maps from the cookie to the group, and from the answering address to its name and cookie."""
    named = [f"{process.name} home_{process.name};" for process in processes]
    # After a retry the variable lists all tried addresses, and the last one has answered.
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
    """Write the files into `folder` with which `nginx -p FOLDER -c nginx.conf` starts.

    The app is served below the path `base`, such as `/lab`.
    """
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # only the user who serves may read the sockets and logs
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
        # Only root can choose a user; by default nginx runs as nobody, which may not enter the folder.
        "USER": "user root;" if os.geteuid() == 0 else "",
    }
    for name in ("nginx.conf", "tls.conf"):
        _put(folder / name, Template((HERE / name).read_text("utf-8")).safe_substitute(values))
    write_upstreams(folder, processes)


def _certificate(settings: Settings) -> str:
    """Return the directives of TLS; empty if there is no certificate."""
    if not settings.certificate:
        return ""
    return (
        f'ssl_certificate "{settings.certificate}"; ssl_certificate_key "{settings.key}"; include tls.conf;'
    )


def write_upstreams(folder: Path, processes: Sequence[Process]) -> None:
    """Write the list of processes, which nginx reads at its next start or reload."""
    _put(folder / "upstreams.conf", upstreams(processes))


def serving(folder: Path) -> list[str]:
    """Return the names of the processes that visitors are led to, in the order of the configuration."""
    found = re.search(
        r'map "" \$serving {\s*default "([^"]*)"', (folder / "upstreams.conf").read_text("utf-8")
    )
    return found[1].split() if found else []


def _put(path: Path, text: str) -> None:
    """Replace a file atomically, so that no reader gets half of it."""
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)
