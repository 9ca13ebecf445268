"""Below a base path all addresses lead below it: those of texts, of scripts, and those that are answered."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from pages.browser.first_page import files, send_first_page
from pages.home.pictures import GALLERY
from pages.shell.base import add_base_path, base, pass_base_path, strip_root_path
from pages.shell.http.closed import closed_addresses
from pages.shell.http.files import FrontendFiles
from tests.covering import each
from tests.pages.session import linked

ROOT = Path(__file__).parents[2]
OF_PAGES = sorted((ROOT / "pages").rglob("*.js"))
OF_ROOMS = sorted((ROOT / "rooms").rglob("*.js"))

FROM_THE_ROOT = re.compile(r"""(?<!attentionLabAddress\()(?<!\blink: )["'`]/[a-z?]""")
"""An address in a script that is not put below the base; the link of a request is read by the server."""

WHERE = re.compile(r"location\.(?:pathname|origin)(?! \+ window\.attentionLabAddress)|\bpathname\b")
"""Code of a script that depends on the base."""

KNOWS_THE_BASE = {
    "pages/browser/history/entries.js",  # compares two addresses of the app
    "pages/browser/collect/link_here.js",  # takes the base off
    "pages/browser/collect/answers.js",  # compares the page with itself
    "pages/browser/collect/collect.js",  # compares the page with itself
    "pages/lecture/small_slide.js",  # makes an address of one that is below the base
    "pages/browser/collect/draw_later.js",  # makes an address of one that is below the base
    "pages/browser/screen/screen.js",  # compares the page with itself
    "pages/lecture/frames.js",  # compares two addresses of the app
    "pages/lecture/over_page.js",  # compares two addresses of the app
    "pages/lecture/steps.js",  # reads a link of a deck
}

LEADS = re.compile(r"""\]\((/[^)\s]*)|\s(?:href|src)=["'](/[^"']*)""")


@pytest.fixture
def below() -> Iterator[None]:
    """The app below /lab, as `streamlit run app.py --server.baseUrlPath=/lab/` serves it."""
    st.config.set_option("server.baseUrlPath", "/lab/")
    yield
    st.config.set_option("server.baseUrlPath", "")


async def behind(scope: Any, receive: Any, send: Any) -> None:
    """Streamlit, which says what it is asked for; a page is its own."""
    said = f"{scope['path']} {scope.get('root_path')}"
    await PlainTextResponse(said, status_code=299)(scope, receive, send)


def browser() -> TestClient:
    """Return a browser in front of the middleware before Streamlit, in the order of `app.py`."""
    app = pass_base_path(closed_addresses(FrontendFiles(send_first_page(strip_root_path(behind)))))
    return TestClient(app, base_url="http://lab.example")


@each(
    ("spelt", "read"),
    [
        ("[Positions](/positions) shows how.", "[Positions](/lab/positions) shows how."),
        ('[word](/glossary?term=word "What.")', '[word](/lab/glossary?term=word "What.")'),
        ('<a class="next" href="/">Home</a>', '<a class="next" href="/lab/">Home</a>'),
        ('<img src="/gallery/a.webp?1">', '<img src="/lab/gallery/a.webp?1">'),
        ("a typed \\](/b and 1/2, //c", "a typed \\](/b and 1/2, //c"),
        ("[elsewhere](https://example.org/a) [too](//example.org)",) * 2,
    ],
)
@pytest.mark.usefixtures("below")
def test_links_and_pictures_of_texts_are_put_below_the_base(spelt: str, read: str) -> None:
    assert add_base_path(spelt) == read


def test_at_the_root_a_text_stays_unchanged() -> None:
    assert base() == ""
    assert add_base_path("[Positions](/positions)") == "[Positions](/positions)"


@pytest.mark.usefixtures("below")
def test_requests_below_the_base_are_answered_and_others_are_not() -> None:
    assert base() == "/lab"
    ask = browser().get
    assert ask("/lab/masking").text == "/lab/masking "
    assert ask("/lab").text == "/lab "
    assert ask(f"/lab/{files().address}").text.startswith("{")
    picture = next(GALLERY.glob("*.webp"))
    assert ask(f"/lab/gallery/{picture.name}").content == picture.read_bytes()
    assert ask("/lab/_stcore/agent").status_code == 404
    for beside in ("/", "/masking", "/laboratory", f"/{files().address}", "/_stcore/health"):
        assert ask(beside).status_code == 404, beside


@pytest.mark.usefixtures("below")
def test_a_proxy_may_have_taken_the_base_off() -> None:
    ask = browser().get
    taken_off = {"X-Forwarded-Prefix": "/whatever"}
    assert ask("/masking", headers=taken_off).text == "/lab/masking "
    assert ask(f"/{files().address}", headers=taken_off).text.startswith("{")
    assert ask("/lab/masking", headers=taken_off).text == "/lab/masking "


def test_at_the_root_requests_stay_unchanged() -> None:
    ask = browser().get
    assert ask("/masking").text == "/masking "
    assert ask("/masking", headers={"X-Forwarded-Prefix": "/lab"}).text == "/masking "


@pytest.mark.usefixtures("below")
def test_scripts_get_a_base_that_is_set_after_the_app_has_loaded() -> None:
    assert 'window.attentionLabBase = "/lab";' in files().script.decode()


@each("script", OF_PAGES)
def test_no_script_of_a_page_writes_an_address_past_the_base(script: Path) -> None:
    code = re.sub(r"//.*", "", script.read_text("utf-8"))
    name = script.relative_to(ROOT).as_posix()
    assert FROM_THE_ROOT.findall(code) == []
    assert name in KNOWS_THE_BASE or WHERE.findall(code) == []


@each("script", OF_ROOMS)
def test_scripts_of_phones_find_the_server_from_their_own_address(script: Path) -> None:
    code = re.sub(r"//.*", "", script.read_text("utf-8"))
    assert re.findall(r"""["'`]/[a-z$?]""", code) == []
    assert "location.pathname" not in code


DRAWS = {"markdown", "caption", "info", "warning", "html"}
SHELL = ("page", "draw", "parts", "items", "large")
"""The modules that draw the sentences of a sheet; others in the folder have no links in sentences."""


@each("path", [*(ROOT / "pages" / "shell" / f"{name}.py" for name in SHELL), ROOT / "pages/state/widgets.py"])
def test_links_in_sentences_are_put_below_the_base_when_they_are_drawn(path: Path) -> None:
    module = ast.parse(path.read_text("utf-8"))
    calls = [one for one in ast.walk(module) if isinstance(one, ast.Call) and one.args]
    drawn = [one for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr in DRAWS]
    assert [ast.unparse(one) for one in drawn if not _is_based(one.args[0], module)] == []


def _is_based(text: ast.expr, module: ast.Module) -> bool:
    """Return whether a text is put below the base, there or at its definition, or has no link."""
    match text:
        case ast.Call(func=ast.Name("add_base_path" | "linked")):
            return True
        case ast.Constant() | ast.JoinedStr():
            return "](" not in ast.unparse(text) and "href" not in ast.unparse(text)
        case ast.Name(name):
            given = [
                one.value
                for one in ast.walk(module)
                if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == name
            ]
            return name.isupper() or any(_is_based(one, module) for one in given)
    return False


@pytest.mark.usefixtures("below")
@each(
    ("page", "asked"),
    [("", {"wanted": "residual"}), ("masking", {"stop": "4"})],
)
def test_all_links_of_a_page_lead_below_the_base(page: str, asked: dict[str, str]) -> None:
    app = linked(page, asked).run(timeout=60)
    texts = [str(getattr(one, "value", "")) for one in [*app.markdown, *app.caption, *app.info, *app.warning]]
    texts += [one.proto.body for one in app.get("html")]
    found = [next(filter(None, pair)) for text in texts for pair in LEADS.findall(text)]
    assert [one for one in found if not one.startswith("/lab/")] == []
    assert found
