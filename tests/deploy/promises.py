"""Every setting of the servers as a line with its place and its value, and the promises that rest on it.

The files in `tests/deploy/promised/` list under each promise the settings that keep it, and at the end the
settings on which no promise rests.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import yaml

from deploy.nginx.configuration import write
from deploy.settings import Settings
from tests.deploy.nginx import THREE

ROOT = Path(__file__).parents[2]
PROMISED = Path(__file__).with_name("promised")
REST = "Nothing of the above rests on these"

WORD = re.compile(
    r"""\s+ | \#[^\n]* | (?P<sign>[{};]) | "(?P<double>[^"]*)" | '(?P<single>[^']*)'
    | (?P<bare>(?:\$\{\w+\} | [^\s{};"'])(?:\$\{\w+\} | [^\s{};])*)""",
    re.VERBOSE,
)
"""A word in nginx's language, what separates two, or a comment."""

POLICY = "add_header Content-Security-Policy "


def promised(subject: str) -> dict[str, list[str]]:
    """Return the settings that are promised, by the promise."""
    found: dict[str, list[str]] = {}
    for line in (PROMISED / f"{subject}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            found[line[2:]] = []
        elif line:
            found[list(found)[-1]].append(line)
    return found


CERTIFIED = Settings(certificate="/etc/chain.pem", key="/etc/key.pem")


def nginx(folder: Path, settings: Settings = CERTIFIED) -> list[str]:
    """Return nginx's settings in the files that `make serve` writes, and in the files of containers."""
    write(folder, THREE[:2], settings, listen="localhost:7043")
    texts = {path.name: path.read_text("utf-8") for path in folder.glob("*.conf")}
    texts["container/upstreams.conf"] = (ROOT / "deploy/container/upstreams.conf").read_text("utf-8")
    lines = [f"{name}: {line}" for name, text in texts.items() for line in directives(text)]
    return [line.replace(str(folder), "FOLDER") for line in lines]


def streamlit() -> list[str]:
    """Return Streamlit's settings for all processes of the app, however they start."""
    return list(leaves(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))))


def supervisor() -> list[str]:
    """Return supervisor's settings: the programs and how they start."""
    parser = RawConfigParser(comment_prefixes=";")
    parser.read(ROOT / "deploy" / "supervisor" / "supervisord.conf", "utf-8")
    return [f"{part}: {name} = {value}" for part in parser.sections() for name, value in parser[part].items()]


def containers() -> list[str]:
    """Return the settings of the image, its content, and how compose starts it."""
    image = (ROOT / "deploy" / "container" / "Containerfile").read_text("utf-8")
    steps = re.sub(r"\s*\\\n\s*", " ", re.sub(r"^#.*\n", "", image, flags=re.MULTILINE)).splitlines()
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    compose = leaves(yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8")))
    return [
        *(f"Containerfile: {' '.join(step.split())}" for step in steps if step),
        *(f".dockerignore: {line}" for line in kept if not line.startswith("#")),
        *(f"compose.yaml: {line}" for line in compose),
    ]


def kubernetes() -> list[str]:
    """Return every object that is applied, and the changes of each component."""
    folder = ROOT / "deploy" / "kubernetes"
    return [
        f"{file.relative_to(folder)}: {line}"
        for file in sorted(folder.rglob("*.yaml"))
        for line in leaves(yaml.safe_load(file.read_text("utf-8")))
    ]


def leaves(tree: Any, where: str = "") -> Iterator[str]:
    """Yield every value of nested mappings and lists, after the names that lead to it."""
    if isinstance(tree, dict) and tree:
        for name, value in tree.items():
            yield from leaves(value, f"{where} > {name}" if where else str(name))
    elif isinstance(tree, list) and any(isinstance(one, dict) for one in tree):
        for at, value in enumerate(tree):
            yield from leaves(value, f"{where} > {at}")
    else:
        yield f"{where} = {json.dumps(tree)}"


def directives(text: str) -> Iterator[str]:
    """Yield every directive of nginx after its blocks; a content security policy part by part."""
    n_servers = 0
    blocks: list[str] = []
    words: list[str] = []
    for sign, word in _words(text):
        if not sign:
            words.append(word or '""')
            continue
        said = " ".join(words)
        words.clear()
        if sign == "{":
            n_servers += said == "server"
            blocks.append(f"server {n_servers}" if said == "server" else said)
        elif sign == "}":
            assert not said, f"{said} does not end"
            blocks.pop()
        elif said.startswith(POLICY):
            yield from (
                " > ".join([*blocks, POLICY + part]) for part in said.removeprefix(POLICY).split("; ")
            )
        else:
            yield " > ".join([*blocks, said])
    assert not blocks
    assert not words


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Signs that structure nginx's language, each with nothing, and words, each after no sign."""
    at = 0
    while at < len(text):
        found = WORD.match(text, at)
        assert found is not None, f"not understood: {text[at : at + 40]!r}"
        at = found.end()
        if found["sign"]:
            yield found["sign"], ""
        for kind in ("double", "single", "bare"):
            if found[kind] is not None:
                yield "", found[kind]
