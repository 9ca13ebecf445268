"""Programs are Python as people write it, whatever the switches are."""

import ast
import subprocess
import sys

import pytest

from core.model.config import NORMS, POSITIONS, ModelConfig
from core.programs import (
    Subject,
    attention_program,
    distance_program,
    literal,
    orders_program,
    serial_program,
)
from core.programs.extrapolation import losses_program, verbs_program
from core.programs.norms import norms_program
from core.programs.text import LINE

WORDS = tuple(f"word{i}" for i in range(40))


def test_a_long_list_goes_on_in_the_next_line() -> None:
    text = literal("words", list(WORDS))

    assert max(map(len, text.splitlines())) <= LINE
    assert text.startswith("words = [\n    'word0', 'word1',")
    assert ast.literal_eval(text.removeprefix("words = ")) == list(WORDS)


@pytest.mark.parametrize(
    "source", ["trained", pytest.param("random", marks=pytest.mark.long("a line too long of random weights"))]
)
def test_programs_are_laid_out_as_our_own_code_is(source: str) -> None:
    subjects = [
        Subject(
            words=WORDS,
            config=ModelConfig(vocab_size=1, positions=positions, norm=norm),
            source=source,
            layer=1,
        )
        for positions in POSITIONS
        for norm in NORMS[:2]
    ]
    programs = [
        *map(attention_program, subjects),
        orders_program(subjects[0], WORDS[::-1], 3),
        distance_program(WORDS, origin=0, n_layers=1, mask="bidirectional"),
        serial_program(WORDS, n_layers=1, mask="causal"),
        norms_program(subjects[0].config, n_layers=2, seed=1),
        losses_program(subjects[0].config),
        verbs_program(subjects[0].config),
    ]
    for program in programs:
        assert complaints(program) == "", program


def complaints(program: str) -> str:
    """What the linter has to say of names, imports and empty lines."""
    rules = ["--isolated", "--preview", "--select=F,I,E3,W", "--quiet", "--output-format=concise", "-"]
    command = [sys.executable, "-m", "ruff", "check", *rules]
    return subprocess.run(command, input=program, capture_output=True, text=True).stdout
