r"""Formulas are of the model that the switches choose, and have the vector of a word as a row."""

import re
from urllib.parse import urlencode

import pytest
import torch

from core.learning.checkpoints import build
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.contract.sheet import Formula
from pages.sheet import SheetResult, build_sheet
from tests.covering import covering, each
from tests.formulas import value
from tests.pages.contract.test_every_sheet import VIEWS, opened, parts

pytestmark = pytest.mark.usefixtures("without_real_models")

COLUMN = re.compile(
    r"(?<![A-Za-z\\{])(?:[QKVWUEO](?:_\w|_\{\w+\})?|W_\\text\{out\})(?:\^\\top)?"
    r" *(?:\\,)? *[a-z]_(?:[ijt]|\{t)"
)
"""A matrix with a vector on its right."""

SETTINGS = covering(
    {"positions": ["none", "learned", "alibi", "rotary"], "mask": list(MASKS), "scale": ["true", "false"]}
)


def formulas(found: SheetResult) -> str:
    said = (part.latex for part in parts(found.sheet) if isinstance(part, Formula))
    return "\n".join(said)


@each(("latex", "is_column"), [
    (r"k_j = K x_j", True), (r"q_i = Q^\top x_i", True), (r"E\,h_t", True), (r"W h_{t-1}", True),
    (r"W_1 h_i + b_1", True), (r"k_j = x_j K", False), (r"h_t\,W_\text{out}", False), (r"x_t U + b", False),
])  # fmt: skip
def test_a_column_is_found(latex: str, is_column: bool) -> None:
    assert bool(COLUMN.search(latex)) == is_column


@each(("address", "view"), VIEWS)
def test_no_formula_multiplies_a_column(address: str, view: str) -> None:
    assert COLUMN.findall(formulas(opened(address, view))) == []


@each("setting", SETTINGS)
def test_formulas_of_attention_follow_the_switches(setting: dict[str, str]) -> None:
    point = SCHEMES[setting["positions"]].injection_point()
    is_masked, is_scaled = MASKS[setting["mask"]].hides, setting["scale"] == "true"
    attention, embedding = (
        formulas(build_sheet("/architectures?" + urlencode({**setting, "part": part})))
        for part in ("self-attention", "embedding")
    )
    assert (r"\sqrt{d_\text{head}}" in attention) == is_scaled
    assert (" + M" in attention, " + B" in attention) == (is_masked, point == "bias")
    assert ("rotate" in attention) == (point == "rotate")
    assert "sqrt" in embedding, "the models of the collection share their table with the output"

    steps = "/step-by-step?" + urlencode({**setting, "view": "one head", "size": "full", "stage": "softmax"})
    entering = r"S_{\text{%s}}"
    last = "masked" if is_masked else "biased" if point == "bias" else "scaled" if is_scaled else ""
    assert rf"({entering % last if last else 'S'})" in formulas(build_sheet(steps))
    q = formulas(build_sheet(steps.replace("softmax", "q")))
    assert ("R_i" in q) == (point == "rotate")
    assert ("+ b" in q) == (r"b_Q" in attention)

    cell = "/explorer?" + urlencode({**setting, "view": "heads", "query": 4, "key": 2})
    assert (r"\sqrt{d_\text{head}}" in formulas(build_sheet(cell))) == is_scaled
    assert (r"\text{with bias}" in formulas(build_sheet(cell))) == (point == "bias")


@each(
    ("asked", "has", "lacks"),
    [("way=greedy", "arg", "/"), ("way=sampled&temperature=0.5", r"\,/\,0.5", "arg")],
)
def test_a_word_that_is_drawn_has_the_temperature_it_is_drawn_with(asked: str, has: str, lacks: str) -> None:
    formula = formulas(build_sheet(f"/generation?view=side+by+side&{asked}"))
    assert has in formula
    assert lacks not in formula


@each(("asked", "has_lengths"), [("unit=true", True), ("unit=false", False)])
def test_vectors_of_length_1_are_in_the_formula_where_they_are_made(asked: str, has_lengths: bool) -> None:
    assert ("lVert" in formulas(build_sheet(f"/step-by-step?view=why+three+matrices&{asked}"))) == has_lengths


@each(
    ("norm", "right"),
    [("pre", r"h + f(\text{LN}(h))"), ("post", r"\text{LN}(h + f(h))"), ("none", "h + f(h)")],
)
def test_the_residual_connection_has_the_norm_where_the_model_has_it(norm: str, right: str) -> None:
    block = build(ModelConfig(vocab_size=2, d_model=8, n_heads=2, n_layers=1, norm=norm, mlp=False)).blocks[0]
    assert formulas(build_sheet(f"/blocks?view=residual&norm={norm}")).endswith(right)
    x, allowed = torch.randn(1, 3, 8), torch.ones(1, 1, 3, 3, dtype=torch.bool)
    scheme = SCHEMES["none"](ModelConfig(vocab_size=2, d_model=8, n_heads=2))
    with torch.no_grad():
        names = {
            "f": lambda h: block.attention(h, h, allowed=allowed, positions=scheme),
            r"\text{LN}": block.attention_norm,
            "h": x,
        }
        torch.testing.assert_close(value(right, names), block(x, allowed=allowed, positions=scheme))
