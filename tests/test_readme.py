"""What the README and the other documents show is there, and runs as it stands there."""

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from core.model.trace import Trace
from pages.sheet import answered, lines
from tests.covering import each
from tests.real import needs_minilm

ROOT = Path(__file__).parents[1]

DOCUMENTS = {file.name: file.read_text("utf-8") for file in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))}

LINKS = sorted(
    (link, key)
    for text in DOCUMENTS.values()
    for link, key in re.findall(r'"(/[a-z-]+\?view=[^"]*)"(?: --key (\w+))?', text)
    if not link.startswith("/page?")
)
"""The links to views in the documents, each with the key of the picture if one is named."""

FOLDERS = "bench|core|deploy|docs|figures|lectures|pages|rooms|tests|viz"

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

MADE = {"tests/browser/screenshots/", "lectures/masks.toml"}
"""What the documents say how to make."""


@needs_minilm
def test_the_lines_for_a_notebook_draw_what_the_models_attend_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "shown.py").write_text(lines, "utf-8")
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)

    made = runpy.run_path("shown.py")

    assert "Plotly.newPlot" in (tmp_path / "attention.html").read_text("utf-8")
    pattern = made["pattern"]
    torch.testing.assert_close(pattern.sum(dim=-1), torch.ones(len(made["words"])))
    trace = Trace()
    made["small"](made["encode"](made["words"]).tokens, trace=trace)
    torch.testing.assert_close(pattern, trace["blocks.0.attention.pattern"][0, 2])
    assert list(made["effects"].columns) == ["layer", "head", "divergence"]
    assert (made["effects"]["divergence"] > 0).all()
    n = len(made["sentence"].pieces)
    assert capsys.readouterr().out == f"torch.Size([1, 12, {n}, {n}])\n"


def test_the_documents_name_links_and_paths() -> None:
    assert len(LINKS) > 3
    assert len(PATHS) > 50


@each(("link", "key"), LINKS)
def test_a_link_in_a_document_opens_its_view(link: str, key: str) -> None:
    found = answered(link)
    assert found.refused == ()
    assert f"view={found.name}" in link
    assert any(line.startswith(f"[{key}") for line in lines(found))


def test_a_path_in_a_document_is_there() -> None:
    missing = [(name, path) for name, path in PATHS if path not in MADE and not (ROOT / path).exists()]
    assert missing == []


def test_a_module_that_a_document_runs_is_there() -> None:
    run = {module for text in DOCUMENTS.values() for module in re.findall(r"python -m ([\w.]+)", text)}
    ours = {module for module in run if (ROOT / module.partition(".")[0]).exists()}
    assert len(ours) > 5
    assert [module for module in ours if find_spec(module) is None] == []
