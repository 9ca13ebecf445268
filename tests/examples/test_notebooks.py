"""The notebooks in examples/ run as they stand, without a network, and show their pictures by themselves."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]

PICTURES = {"own_model": 3, "compare_heads": 1, "paper_figure": 5}
"""The number of cells with a picture in each notebook."""


def read(name: str) -> Any:
    return nbformat.read(ROOT / "examples" / f"{name}.ipynb", as_version=4)


def test_every_notebook_is_tested_and_none_contains_outputs() -> None:
    names = {path.stem for path in (ROOT / "examples").glob("*.ipynb")}
    assert names == PICTURES.keys()
    for name in names:
        book = read(name)
        nbformat.validate(book)
        assert [cell.get("outputs", []) for cell in book.cells if cell.get("outputs")] == []
        assert [cell.execution_count for cell in book.cells if cell.get("execution_count")] == []


@pytest.mark.long(
    "a kernel, a training and a browser for each: the tests of attention_lab run in this process"
)
@pytest.mark.parametrize("name", PICTURES)
def test_a_notebook_runs_without_a_network(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    book = read(name)
    here = {"metadata": {"path": str(ROOT / "examples")}}

    NotebookClient(book, timeout=300, kernel_name="python3", resources=here).execute()

    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert [output for output in shown if output.output_type == "error"] == []
    pictures = [output.data for output in shown if "<Picture" in output.get("data", {}).get("text/plain", "")]
    assert len(pictures) == PICTURES[name]
    for data in pictures:
        addresses = re.findall(r'(?:src|href)="([^"]{0,30})', data["text/html"])
        assert all(address.startswith("data:image/svg+xml;base64,") for address in addresses)
    sizes = [sum(len(str(content)) for content in data.values()) for data in pictures[1:]]
    assert max(sizes, default=0) < 600_000, "a cell of a notebook stays small"
