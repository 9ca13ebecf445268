"""The calculation as LaTeX: well formed, with the numbers of the stage, and without a typed word."""

import re

import numpy as np
import torch

from core.measures.stages.stage import Stage, one_word
from core.measures.stages.walk import small, walk
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from pages.step_by_step.latex import MOST, calculation, of_all_words, of_one_word, pmatrix, symbol
from tests.covering import each
from tests.formulas import equations, value

EVIL = ("\\input{x}", "%", "$", "}", "&", "_")


def matrices(latex: str) -> list[list[list[str]]]:
    """Return the entries of every matrix, row by row."""
    bodies = re.findall(r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", latex, re.DOTALL)
    return [[[cell.strip() for cell in row.split("&")] for row in body.split(r"\\")] for body in bodies]


def is_well_formed(latex: str) -> bool:
    """Braces and environments that close in the order they were opened, and one & in each line."""
    opened: list[str] = []
    for token in re.findall(r"\\begin\{\w+\}|\\end\{\w+\}|\\left|\\right|[{}]", latex):
        if token.startswith(r"\end"):
            if not opened or opened.pop() != token.replace("end", "begin"):
                return False
        elif token in ("}", r"\right"):
            if not opened or opened.pop() != {"}": "{", r"\right": r"\left"}[token]:
                return False
        else:
            opened.append(token)
    lines = re.sub(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", "", latex).splitlines()[1:-1]
    return not opened and all(line.count("&") == 1 for line in lines)


def stages(words: tuple[str, ...], **fields: object) -> tuple[Stage, ...]:
    source = str(fields.pop("source", "random"))
    layer = int(fields.pop("layer", 0))  # type: ignore[call-overload]
    is_small = fields.pop("small", False)
    config = ModelConfig(vocab_size=1, **fields)  # type: ignore[arg-type]
    return walk(load(source, small(config) if is_small else config, words, 0), layer=layer).stages


@each(
    "fields",
    [
        {"small": True, "positions": "alibi"},
        {"small": True, "positions": "rotary", "mask": "bidirectional"},
        {"source": "trained", "positions": "learned"},
        {"source": "trained", "layer": 1},
    ],
)
@each("n_words", [1, 13])
def test_every_stage_is_well_formed_in_both_forms(fields: dict[str, object], n_words: int) -> None:
    for stage in stages((*EVIL, *"abcdefg")[:n_words], **dict(fields)):
        for shown in (stage, one_word(stage, n_words - 1)):
            latex = calculation(shown)
            assert is_well_formed(latex), latex
            for rows in matrices(latex):
                assert len({len(row) for row in rows}) == 1
                assert max(len(rows), len(rows[0])) <= MOST


@each("positions", ["alibi", "rotary"])
def test_the_numbers_agree_with_the_stage(positions: str) -> None:
    for stage in stages(words_of("Zuko made his uncle tea"), small=True, positions=positions):
        *operands, result = matrices(calculation(stage))
        shown = [operand.grid.matrix for operand in stage.operands] + [stage.result.matrix]
        for rows, matrix in zip([*operands, result], shown, strict=True):
            read = [[float(cell.replace(r"-\infty", "-inf")) for cell in row] for row in rows]
            np.testing.assert_allclose(read, matrix, atol=0.00501)


@each(("factor", "sign"), [(1.0, ""), (3.5, r" \cdot 3.5"), (8.0, r" \cdot \sqrt{64}")])
def test_the_formula_of_word_vectors_has_their_factor(factor: float, sign: str) -> None:
    embeddings = stages(("a", "b"), embed_scale=factor)[0]
    latex = calculation(embeddings)
    assert latex.splitlines()[1] == rf"x &= w \cdot E{sign} \\"
    np.testing.assert_allclose(embeddings.result.matrix, factor * embeddings.operands[1].grid.matrix)


def test_a_large_matrix_ends_in_dots() -> None:
    (rows,) = matrices(pmatrix(np.ones((11, 12))))
    assert [len(rows), len(rows[0])] == [10, 10]
    assert rows[0][-2:] == ["1.00", r"\cdots"]
    assert rows[-1][-2:] == [r"\vdots", r"\ddots"]
    (whole,) = matrices(pmatrix(np.full((10, 10), -0.001)))
    assert whole == [["0.00"] * 10] * 10


def test_no_typed_word_gets_into_it() -> None:
    for stage in stages(("HARM", "$HARM$"), small=True):
        assert "HARM" not in calculation(stage)


def normalised(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


@each(
    "fields",
    [
        {"positions": "alibi", "scale": False, "tied": True},
        {"positions": "learned", "mask": "bidirectional", "norm": "post"},
        {"source": "trained", "positions": "sinusoidal", "layer": 1},
        {"source": "trained", "positions": "relative"},
    ],
)
def test_both_forms_in_symbols_come_to_the_numbers_of_the_stage(fields: dict[str, object]) -> None:
    for stage in stages(words_of("Zuko made his uncle tea"), **fields):
        if stage.rule in ("given", "join"):
            continue
        names = {symbol(one.name): torch.tensor(one.grid.matrix) for one in stage.operands}
        names |= {r"\operatorname{LN}": normalised}
        if "kᵀ" in (keys := {one.name: one.grid.matrix for one in stage.operands}):
            names["k"] = torch.tensor(keys["kᵀ"].T)
        found = value(equations(of_all_words(stage))[symbol(stage.symbol)], names)
        np.testing.assert_allclose(found, stage.result.matrix, atol=2e-5, err_msg=stage.name)
        if stage.rule in ("pick", "multiply") and stage.name not in ("scores", "weighted sum"):
            rows = {f"{name}_i": matrix[2:3] for name, matrix in names.items() if torch.is_tensor(matrix)}
            ((_, right),) = equations(of_one_word(stage)).items()
            row = value(right, {**names, **rows})
            np.testing.assert_allclose(row, stage.result.matrix[2:3], atol=2e-5, err_msg=stage.name)
