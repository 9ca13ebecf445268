"""Parsers of outside input need little memory and time, whatever the input is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.sources import UnavailableError
from figures import __main__ as command
from pages.sheet import build_sheet
from tests.core.pretrained.folders import CASES, saved
from tests.covering import each
from tests.hostile_input import TOML

ROOT = Path(__file__).parents[1]

WIDE = {
    "gpt2": {"n_embd": 2**24 - 1, "n_head": 3},
    "bloom": {"hidden_size": 3 * 2**22},
    "bart": {"max_position_embeddings": 2**24},
    "t5-gated": {"d_ff": 2**24},
    "llama-biases-of-attention": {"hidden_size": 2**24, "num_hidden_layers": 256},
}
"""Folders of tiny models whose configuration claims that they are wide."""

LONG = pytest.mark.long("what a text costs in memory; that it is refused is tested in every run")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The result of each attempt; all run in one process with little memory and time."""
    folders = []
    for name, fields in WIDE.items():
        folder = tmp_path_factory.mktemp("folders") / name
        saved(CASES[name], folder)
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
        folders.append(str(folder))
    ran = subprocess.run(
        [sys.executable, "-m", "tests.hostile_input", *folders],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout[-500:]}\n{ran.stderr[-2000:]}"
    return dict(line.split("\t", 1) for line in ran.stdout.splitlines() if "\t" in line)


@each("link", ["//[", "http://[", "http://[::::]/masking"])
def test_an_unreadable_address_leads_to_no_page(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnavailableError, match="There is no page"):
        build_sheet(link)
    with pytest.raises(SystemExit):
        command.main([link])
    assert f"error: This is not a link: {link}" in capsys.readouterr().err


@LONG
@LINUX
def test_a_deck_is_refused_whichever_way_it_comes(said: dict[str, str]) -> None:
    for name in TOML:
        reason = said[f"file: {name}"]
        assert reason.startswith(("Line ", "This deck has no steps")), name
        assert said[f"link: {name}"] == reason
        assert f"'refused': {reason!r}" in said[f"upload: {name}"]
        assert said[f"figures: {name}"].startswith("400 ")
    assert said["link: much that is packed"].startswith("This deck is too large")


@LONG
@LINUX
def test_typed_text_with_any_signs_is_read_in_little_time(said: dict[str, str]) -> None:
    texts = {name: outcome for name, outcome in said.items() if name.startswith("texts: ")}
    assert set(texts.values()) == {"read"}
    assert len(texts) == 5
    assert said["sentence: backslashes"].startswith("200 ")
    assert said["cookie: backslashes"] == "1"


@LONG
@LINUX
def test_a_folder_that_says_it_is_wide_is_refused(said: dict[str, str]) -> None:
    for name in WIDE:
        assert "not the weights of" in said[f"folder: {name}"], name
