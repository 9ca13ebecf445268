"""Input that could exhaust a process: each attempt runs in a process with little memory and time.

python -m tests.hostile_input FOLDER…

It prints a line with the result of each attempt. The system ends a process that needs too much of either,
and then lines are missing.
"""

import resource
import sys
import warnings
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from access.buckets import Client
from core.pretrained import FolderError, read
from core.text.tokenizer import MAX_CHARACTERS, words_of
from figures.http import export_app
from figures.plain import plain
from figures.provenance import file_name
from figures.rendering.exporter import Exporter
from pages.browser.large import headline_type
from pages.lecture.deck import MOST_LINK_BYTES, deck_named, read_deck
from pages.lecture.deck_file import DeckError
from pages.lecture.listing import answer
from pages.shell.http.request_headers import readable_headers
from pages.terms.underlined import TermLinker

MEMORY = 768 * 2**20
"""Bytes that all attempts together may take."""

SECONDS = 60
"""Seconds of the processor that all attempts together may take; they need eight."""

HALF = MOST_LINK_BYTES // 2 - 10

TOML = {
    **{f"a dotted key of {n} parts": f"a{'.a' * n} = 1" for n in (20_000, HALF)},
    "a dotted header": f"[a{'.a' * 20_000}]",
    "a dotted header of steps": f"[[a{'.a' * 20_000}]]",
    "a dotted key with quotes": "'a'" + ".'a'" * 20_000 + " = 1",
    "a dotted key with blanks": "a" + " . a" * 20_000 + " = 1",
    "a dotted key in a table": "a = {" + "b" + ".b" * 20_000 + " = 1}",
    "a second dotted key in a table": "a = {b = 1, c" + ".c" * 20_000 + " = 1}",
    "a dotted key after a step": "[[step]]\nlink" + ".a" * 20_000 + " = 1",
    "dotted keys in many lines": "\n".join(f"a{'.a' * 1000} = {n}" for n in range(120)),
    "lists in lists": "a = " + "[" * HALF,
    "tables in tables": "a = " + "{a=" * 80_000,
    "a number of many digits": "a = " + "1" * HALF,
    "a long key": "a" * HALF + " = ''",
    "many fields": "\n".join(f"a{n} = ''" for n in range(20_000)),
    "many steps": "[[step]]\n" * (HALF // 5),
    "a text that ends nowhere": 'a = """' + "\\\n" * HALF,
    "many quotes": 'title = """' + '"" ' * (HALF // 2) + '"""',
    "many escapes": 'title = "' + "\\\\" * (HALF - 10) + '"',
    "many escaped line ends": 'title = """' + "\\\n  \n" * (HALF // 4) + '"""',
    "blanks": " " * HALF + "a",
    "blanks in a head": "[[" + " " * HALF,
    "comments": "#\n" * HALF + "a",
}
"""Texts as decks, each with little that is right."""

SIGNS = (
    "\\a",
    "\\",
    "[",
    "[\\",
    "](",
    "[](",
    "*",
    "**a",
    "_",
    "`",
    "$",
    "<",
    "a",
    "1.",
    " ",
    "\t",
    "{",
    "√{",
    "#",
    "|",
)
OPENED = ("", "$", "*", "**", "***", "`", "[", "[a](", "$a", "\\frac{", "<", "$$")
"""Signs of Markdown and LaTeX, and what may stand before many of them."""

COOKIE = 'a="' + '\\"' * 8000 + '"'


def texts(begin: Iterable[str]) -> Iterator[str]:
    """Return texts that expressions could read in many ways."""
    for opened in begin:
        for sign in SIGNS:
            yield opened + sign * ((MAX_CHARACTERS - len(opened)) // len(sign))
    yield "a" + "\u0316\u0300" * (MAX_CHARACTERS // 2)


def read_texts(reads: Callable[[str], Any], begin: Iterable[str] = OPENED) -> str:
    """Have all of them read."""
    for text in texts(begin):
        reads(text)
    return "read"


def packed(toml: str) -> str:
    """Return a text as a link holds it."""
    return "~" + urlsafe_b64encode(zlib.compress(toml.encode(), 9)).decode().rstrip("=")


def refused(reads: Callable[[], Any]) -> str:
    """Return why a deck or a folder is refused."""
    try:
        reads()
    except (DeckError, FolderError) as error:
        return str(error)
    return "read"


async def another_client(_: Request) -> Client:
    """Return a client with an allowance that is not used up."""
    return Client(f"client {next(_numbers)}")


_numbers = count()


def of_figures() -> TestClient:
    """Return a browser that asks for figures."""
    return TestClient(export_app(Exporter(), another_client), raise_server_exceptions=False)


def asked(browser: TestClient, link: str) -> str:
    """Return the status and the first words with which the pictures of a link are answered."""
    said = browser.get(f"/figures/pictures?link={quote(link)}")
    return f"{said.status_code} {said.text[:120]}"


async def cookies(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the number of cookies."""
    await PlainTextResponse(str(len(HTTPConnection(scope).cookies)))(scope, receive, send)


def attempts(browser: TestClient, folders: list[Path]) -> Iterator[tuple[str, Callable[[], str]]]:
    """Return all attempts by their names."""
    for name, toml in TOML.items():
        link = packed(toml)
        yield f"file: {name}", lambda toml=toml: refused(lambda: read_deck(toml))
        yield f"link: {name}", lambda link=link: refused(lambda: deck_named(link))
        yield f"figures: {name}", lambda link=link: asked(browser, f"/lecture?deck={link}")
        file = b64encode(toml.encode()).decode()
        yield f"upload: {name}", lambda file=file: str(answer({"number": 1, "file": file}))[:300]
    bomb = packed(" " * 200_000_000)
    yield "link: much that is packed", lambda: refused(lambda: deck_named(bomb))
    for name, reads in {"plain": plain, "file name": file_name, "size": headline_type}.items():
        yield f"texts: {name}", lambda reads=reads: read_texts(reads)
    yield "texts: words", lambda: read_texts(words_of, [""])
    yield "texts: terms", lambda: read_texts(lambda text: TermLinker(text).underlined(text), ["", "*"])
    yield (
        "sentence: backslashes",
        lambda: asked(browser, "/explorer?view=heads&text=" + quote("$" + "\\a" * 60)),
    )
    app = TestClient(readable_headers(cookies))
    yield "cookie: backslashes", lambda: app.get("/", headers={"cookie": COOKIE}).text
    for folder in folders:
        yield f"folder: {folder.name}", lambda folder=folder: refused(lambda: read(folder))


def main(folders: list[Path]) -> None:
    """Make all attempts within the limits."""
    warnings.simplefilter("ignore")
    browser = of_figures()
    assert asked(browser, "/explorer?view=heads").startswith("200"), "cached files take memory too"
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + SECONDS, int(used) + SECONDS))
    for name, attempt in attempts(browser, folders):
        print(name, attempt(), sep="\t", flush=True)


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
