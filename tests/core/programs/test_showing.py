"""Each program file runs as it stands, and shows any words as words and no line that it does not need."""

import ast
import runpy
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

import core.programs
from core.measures.generation.writing import GenerationSettings
from core.measures.translation.writing import Strategy
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.programs import Call, Subject, measure_program, render_program
from core.programs.report import report
from core.programs.text import LINE, literal
from core.text.language import encode
from tests.covering import each

FOLDER = Path(core.programs.__file__).parent
MACHINERY = {"__init__", "calling", "report", "showing", "subject", "tensors", "text"}
FILES = sorted({path.stem for path in FOLDER.glob("*.py")} - MACHINERY)

HOSTILE = (
    *('"', "'", "\"'", "'\"", '"""', "'''", "\\", "\\'", '\\"', "'); print('x", "']\nprint(0)\nx = ['", "#"),
    *("{d_model}", "{0}", "{{", "%s", "%(x)s", "\u202e", "\u2028", "\x00", "\r", "茶", "\ud7ff", "$(x)"),
    *("# their", " = ", "words = []", "if point == 'embed':", "core.programs"),
)
"""Words that end quotes, comments and lines, or look like lines of a program."""
HARMLESS = tuple(f"word{at}" for at in range(len(HOSTILE)))
SOME = slice(5)
"""So few words that they fit one line."""

Words = tuple[str, ...]


@each("name", FILES)
def test_a_program_file_runs_as_it_stands(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2
    assert any(character.isdigit() for character in lines[-1])


def everything(*values: object) -> None:
    """Take values of any kind."""


def called(words: Words) -> str:
    """Return a program with typed words in every kind of value."""
    return measure_program(
        "Words.",
        everything,
        Call(encode, words, part=".tokens"),
        list(words),
        words[0],
        {words[1]: [words], "many": {words[2]: words[3]}},
        Strategy(prefix=words),
        GenerationSettings(forced=((1, words[4]),)),
        frozenset(words),
    )


def forward(words: Words) -> str:
    """Return the program of a sentence that a trained model reads."""
    config = ModelConfig(vocab_size=1, d_model=16, positions="rotary", n_layers=2)
    return Subject(words=words, config=config, source="trained", layer=1).shown("forward", "Words.")


WRITTEN: dict[str, Callable[[Words], str]] = {
    "a call": called,
    "forward": forward,
    "counting": lambda words: render_program("counting", "Words.", words=list(words)),
    "reviews": lambda words: render_program("reviews", "Words.", reviews=[list(words), list(words[::-1])]),
    "continuing": lambda words: render_program(
        "continuing", "Words.", given=list(words), models={"next-word-rnn": {3: words[3]}}
    ),
}


@each("name", WRITTEN)
def test_hostile_words_change_only_quoted_text(name: str) -> None:
    for harmless, hostile in ((HARMLESS, HOSTILE), (HARMLESS[SOME], HOSTILE[SOME])):
        renamed = dict(zip(harmless, hostile, strict=True))
        expected = ast.parse(WRITTEN[name](harmless))
        for node in ast.walk(expected):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = renamed.get(node.value, node.value)
        found = ast.parse(WRITTEN[name](hostile))
        assert sorted_sets(found) == sorted_sets(expected)


def sorted_sets(tree: ast.Module) -> str:
    """Return a tree as text, the elements of `frozenset([…])` in one order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "frozenset" and node.args:
            elements = node.args[0]
            assert isinstance(elements, ast.List)
            elements.elts.sort(key=ast.dump)
    return ast.dump(tree)


def test_a_long_list_goes_on_in_the_next_line() -> None:
    words = [f"word{at}" for at in range(40)]
    text = literal("words", words)
    assert max(map(len, text.splitlines())) <= LINE
    assert text.startswith("words = [\n    'word0', 'word1',")
    assert ast.literal_eval(text.removeprefix("words = ")) == words


def test_only_constants_of_a_file_can_be_replaced() -> None:
    with pytest.raises(AssertionError, match="n_cats"):
        render_program("alibi", "", n_cats=3)


def test_shown_programs_are_laid_out_as_our_own_code_is(tmp_path: Path) -> None:
    config, words = ModelConfig(vocab_size=1, d_model=16, d_mlp=8), HARMLESS[SOME]
    subjects = [
        Subject(words=words, config=replace(config, positions=one, norm=norm), source="random", layer=1)
        for one, norm in zip(POSITIONS, cycle(NORMS), strict=False)
    ]
    names = ("forward", "stages") * len(subjects)
    written = [one.shown(name, "Words.") for one, name in zip(subjects, names, strict=False)]
    written += [called(HARMLESS), render_program("counting", "Words."), render_program("training", "Words.")]
    for at, program in enumerate(written):
        (tmp_path / f"program_{at}.py").write_text(program, "utf-8")
    rules = ["--isolated", "--preview", "--select=F,I,E3,W", "--ignore=F821,F722,I001", "--quiet"]
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", *rules, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True).stdout == ""


def test_a_report_has_a_line_for_each_word_and_a_name_for_each_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import numpy as np

    report({"weights": np.eye(2), "mean": 0.123456, "ways": [np.arange(3.0)]}, ("hot", "tea"))
    assert capsys.readouterr().out.split() == (
        ["weights", "hot", "1", "0", "tea", "0", "1", "mean", "0.12346", "ways", "1", "1", "0", "1", "2"]
    )
