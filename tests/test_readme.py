"""What the README shows runs as it stands there."""

import re
import runpy
from pathlib import Path

import pytest
import torch

from core.model.trace import Trace
from tests.real import needs_minilm

ROOT = Path(__file__).parents[1]


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
