"""The files that CONTRIBUTING shows do what it says, in an app without them."""

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import numpy as np
import pytest

from core.model.config import ModelConfig
from pages.contract.ask import Ask
from pages.contract.common_controls import scene_of
from pages.contract.link_parameters import LinkParameters
from pages.contract.question import solution
from pages.contract.sheet import PicturePart
from pages.contract.view import Page
from tests.core.references import noise
from tests.covering import each

GUIDE = Path(__file__).parents[1] / "CONTRIBUTING.md"
FILES = {
    path: dedent(lines)
    for path, lines in re.findall(
        r"^ +```python\n +# (\S+\.py)\n(.*?)^ +```$", GUIDE.read_text("utf-8"), re.M | re.S
    )
}


def added(path: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import a file of the guide under the name that it would have in the app."""
    file = folder / Path(path).name
    file.write_text(FILES[path], "utf-8")
    name = path.removesuffix(".py").replace("/", ".")
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("mask", "said"), [("causal", "100 %"), ("bidirectional", "less than 100 %")])
def test_the_view_of_the_guide_shows_what_its_model_does(
    mask: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("core/measures/focus.py", "pages/heads/focus.py"):
        (tmp_path / path).parent.mkdir(parents=True)
        module = added(path, (tmp_path / path).parent, monkeypatch)
    ask = Ask(LinkParameters({"mask": [mask]}))
    view, scene = scene_of(ask, Page(question="?", views={"focus": module.focus}))

    sheet = view.sheet(ask, scene)

    (shown,) = sheet.parts
    assert isinstance(shown, PicturePart)
    expected = [max(row) for row in scene.pattern.tolist()]
    np.testing.assert_allclose(shown.picture.table()["weight"], expected, rtol=1e-6)
    (question,) = sheet.questions()
    assert solution(question) == said
    assert f"{np.mean(expected):.0%}".replace("%", " %") in sheet.headline
    program = sheet.program()
    assert program is not None
    assert "def largest_weights" in program.write()


def test_the_scheme_of_the_guide_takes_the_logarithm_of_the_distance_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheme = added("core/model/positions/logarithmic.py", tmp_path, monkeypatch).Logarithmic
    sizes = ModelConfig(vocab_size=1, d_model=21, n_heads=3)
    q, k = noise(2, 3, 5, 7), noise(2, 3, 11, 7)
    expected = [[-np.log(1 + abs(i - j)) for j in range(11)] for i in range(5)]
    assert scheme.injection_point() == "bias"
    np.testing.assert_allclose(scheme(sizes).bias(q, k), [expected] * 3, rtol=1e-6)


@each("path", FILES)
def test_the_files_of_the_guide_pass_ruff(path: str) -> None:
    ours = 'lint.isort.known-first-party=["core", "pages", "viz", "words"]'
    options = ["--no-cache", "--config", ours, "--stdin-filename", path]
    run = [sys.executable, "-m", "ruff", "check", *options, "-"]
    checked = subprocess.run(
        run, input=FILES[path], text=True, capture_output=True, check=False, cwd=GUIDE.parent
    )
    assert checked.returncode == 0, checked.stdout
