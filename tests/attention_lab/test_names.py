"""The public names are few, and each says what it is, with an example."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import attention_lab as lab
from tests.covering import each

ROOT = Path(__file__).parents[2]

CALLED = [name for name in lab.__all__ if callable(getattr(lab, name)) and name not in ("LabError", "models")]


@each("name", lab.__all__)
def test_each_name_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(lab, name)) or all(lab.MEASURES.values())
    assert f"`{name}" in (ROOT / "docs/notebook.md").read_text("utf-8")


def test_the_docstring_of_a_callable_has_its_errors_and_an_example() -> None:
    documented = [getattr(lab, name) for name in CALLED if inspect.isfunction(getattr(lab, name))]
    methods = [lab.Model.__call__, lab.Attention.heatmap, lab.Run.ablate, lab.Picture.save]
    for one in (*documented, *methods):
        text = inspect.getdoc(one) or ""
        assert ">>> " in text, one
    for one in (*documented, lab.Picture.save, lab.Run.next_words):
        assert "LabError" in (inspect.getdoc(one) or ""), one


@pytest.mark.long("what setuptools makes of pyproject.toml: the names in it are compared without")
def test_the_editable_package_is_imported_from_another_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--target"]
    options = ["--disable-pip-version-check", "--quiet", "-e", str(ROOT)]
    subprocess.run([*command, str(tmp_path), *options], check=True, capture_output=True)
    code = f"import site; site.addsitedir({str(tmp_path)!r}); import attention_lab as lab; print(lab.read())"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("<Model small causal model")
