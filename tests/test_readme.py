"""Links, paths and code in the README and the other documents exist and run."""

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import attention_lab as lab
from pages.browser.keys import KEYS
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.real import needs_minilm

ROOT = Path(__file__).parents[1]

FILES = (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
DOCUMENTS = {file.name: file.read_text("utf-8") for file in FILES}

LINKS = sorted(
    (link, key)
    for text in DOCUMENTS.values()
    for link, key in re.findall(r'"(/[a-z-]+\?view=[^"]*)"(?: --key (\w+))?', text)
    if not link.startswith(("/heads?view=focus", "/positions?view=logarithmic"))  # CONTRIBUTING makes them
)
"""The links to views in the documents, each with the key of the picture if one is named."""

FOLDERS = "access|attention_lab|bench|core|deploy|docs|examples|figures|lectures|pages|rooms|tests|viz"

PATHS = sorted(
    {
        (name, path)
        for name, text in DOCUMENTS.items()
        for path in (
            *re.findall(rf"`((?:{FOLDERS})/[\w./-]*)(?:::\w+)?`", text),
            *" ".join(re.findall(r'TESTS="?(tests/[\w./ -]+)', text)).split(),
        )
    }
)
"""The files and folders that the documents name in full."""

PLACED = sorted(
    (name, path)
    for text in DOCUMENTS.values()
    for name, path in re.findall(rf"`(\w+)` in `((?:{FOLDERS})/[\w/]+\.py)`", " ".join(text.split()))
)
"""The names that a document says are in a file."""

MADE = {"tests/browser/screenshots/", "lectures/masks.toml"}
"""Targets of `make` in the documents."""


@needs_minilm
@each("name", ["README.md", "notebook.md"])
def test_the_code_for_a_notebook_draws_attention(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = re.findall(r"```python\n(import attention_lab.*?)```", DOCUMENTS[name], re.DOTALL)[0]
    (tmp_path / "shown.py").write_text(lines, "utf-8")
    monkeypatch.chdir(tmp_path)
    saved: list[str] = []
    monkeypatch.setattr(lab.Picture, "save", lambda picture, path, **asked: saved.append(path))

    made = runpy.run_path("shown.py")

    assert made["run"].words[:3] == ("[CLS]", "the", "chef")
    np.testing.assert_allclose(made["run"].patterns.sum(axis=-1), 1, atol=1e-5)
    assert {"figure.pdf", "grid.svg"} <= set(saved)


def test_the_documents_name_links_and_paths() -> None:
    assert len(LINKS) > 3
    assert len(PATHS) > 50


@each(("link", "key"), LINKS)
def test_a_link_in_a_document_opens_its_view(link: str, key: str) -> None:
    found = build_sheet(link)
    assert found.refused == ()
    assert f"view={found.name}" in link
    assert any(line.startswith(f"[{key}") for line in lines(found))


def test_a_path_in_a_document_exists() -> None:
    missing = [(name, path) for name, path in PATHS if path not in MADE and not (ROOT / path).exists()]
    assert missing == []


def test_a_relative_link_in_a_document_leads_to_a_file() -> None:
    found = [
        file.parent / target
        for file in FILES
        for target in re.findall(r"\]\(([\w./-]+)\)", DOCUMENTS[file.name])
    ]
    assert len(found) > 20
    assert [str(target) for target in found if not target.exists()] == []


def test_a_name_is_in_the_file_that_a_document_says() -> None:
    assert len(PLACED) > 10
    assert [
        (name, path) for name, path in PLACED if not re.search(rf"\b{name}\b", (ROOT / path).read_text())
    ] == []


def test_a_module_that_a_document_runs_exists() -> None:
    run = {module for text in DOCUMENTS.values() for module in re.findall(r"python -m ([\w.]+)", text)}
    ours = {module for module in run if (ROOT / module.partition(".")[0]).exists()}
    assert len(ours) > 5
    assert [module for module in ours if find_spec(module) is None] == []


def test_the_table_of_keys_is_the_list_that_a_page_shows() -> None:
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", DOCUMENTS["lecturing.md"], re.MULTILINE)
    shown = {"  ".join(re.findall("`([^`]+)`", keys)): what for keys, what in rows}
    assert list(shown.items()) == list(KEYS.items())
