"""Every position scheme has all that the app asks of it; an error names an incomplete one.

The tests of this file also run over made-up schemes: see `tests/test_made_up.py`.
"""

from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest
import torch

from core.learning.checkpoints import build
from core.learning.collection import MEMBERS
from core.measures.positions import extrapolation
from core.measures.positions.schemes import position_effect
from core.measures.reading import read
from core.measures.stages.stage import Change
from core.measures.stages.walk import walk
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.initialisation import initialise, normal
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.programs import Subject
from core.sources import load
from tests.programs import printed_matrix

WORDS = ("the", "oven", "cooked", "the", "bread", "so", "zzyzx")
N = len(WORDS)
CONFIG = ModelConfig(vocab_size=1, d_model=20, n_heads=2, d_mlp=17)

every_scheme = pytest.mark.parametrize("positions", POSITIONS)


def subject_of(positions: Positions, **fields: Any) -> Subject:
    place = {name: fields.pop(name, 1) for name in ("layer", "head")}
    config = replace(CONFIG, positions=positions, **fields)
    return Subject(words=WORDS, config=config, source="random", seed=3, **place)


@every_scheme
def test_a_scheme_has_a_description_an_effect_and_a_source(positions: Positions) -> None:
    scheme = SCHEMES[positions]
    about = scheme.about
    assert about.title
    assert about.in_brief
    assert about.says.endswith(".")
    enters = scheme.injection_point() is not None
    assert (bool(about.formula), bool(about.source)) == (enters, enters)
    for head in range(CONFIG.n_heads):
        assert scheme.about_head(head, CONFIG).says.startswith(about.says)


@every_scheme
def test_a_scheme_starts_at_its_own_deviation_from_its_own_stream(positions: Positions) -> None:
    config = replace(CONFIG, vocab_size=11, positions=positions)
    model = Transformer(config)
    initialise(model, seed=5)
    outline = SCHEMES[positions].outline(config)
    for name, parameter in model.positions.named_parameters():
        expected = normal(parameter.shape, seed=5, name=f"positions.{name}") * outline.initial_deviation
        torch.testing.assert_close(parameter.detach(), expected)
    assert SCHEMES[positions].n_parameters(config) == sum(p.numel() for p in model.positions.parameters())


@every_scheme
def test_the_stage_where_it_enters_and_the_last_one_have_programs_with_changes_too(
    positions: Positions,
) -> None:
    subject = subject_of(positions, layer=0)
    changes = [Change("q", 2, 1, 1.5), Change("scores", 4, 0, -1.0)]
    stages = walk(load("random", subject.config, WORDS, 3), head=1, changes=changes).stages
    own = {"embed": "positions", "rotate": "k", "bias": "bias"}.get(SCHEMES[positions].injection_point(), "q")
    for stage in stages:
        if stage.name in (own, "softmax"):
            written = subject.shown(
                "stages", stage.name, stage=stage.name, changes=[astuple(one) for one in changes]
            )
            rows = printed_matrix(written, stage.result.matrix.shape[1])
            np.testing.assert_allclose(rows, stage.result.matrix, atol=6e-4, err_msg=stage.name)


@every_scheme
def test_programs_print_the_array_of_a_scheme_and_carry_it_into_the_second_layer(
    positions: Positions,
) -> None:
    mask = list(MASKS)[POSITIONS.index(positions) % len(MASKS)]
    scheme, subject = SCHEMES[positions], subject_of(positions, mask=mask)
    shown = read(load("random", subject.config, WORDS, 3)).pattern(1, 1)
    np.testing.assert_allclose(printed_matrix(subject.shown("forward", "Weights."), N), shown, atol=6e-4)
    model = load("random", subject.config, WORDS, 3).model
    point = scheme.injection_point()
    if point is None:
        with pytest.raises(ValueError, match=f"positions '{positions}' enter nowhere"):
            position_effect(model, N)
        return
    found = position_effect(model, N)
    shapes = {"embed": (N, 20), "rotate": (N, 5), "bias": (2, N, N)}
    assert found.shape == shapes[point]
    assert np.abs(found).max() > 0
    shown = found[1] if point == "bias" else found
    np.testing.assert_allclose(
        printed_matrix(subject.shown("positions", "Added."), shown.shape[1]), shown, atol=2e-3
    )


@every_scheme
def test_length_extrapolation_measures_every_scheme_that_has_a_model(
    positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_this(name: str) -> Any:
        if name != f"causal-{positions}-2-pre":
            raise FileNotFoundError(name)
        return build(MEMBERS[name].config).eval()

    # Shipped results are not used: a model is measured here.
    monkeypatch.setattr(extrapolation, "stored_measurement", lambda *_: None)
    monkeypatch.setattr(extrapolation, "long_sentences", lambda: torch.ones(1, 17, dtype=torch.long))
    monkeypatch.setattr(extrapolation, "LENGTH", 16)
    table = extrapolation.losses(CONFIG, only_this)
    assert set(table["positions"]) == {positions}
    assert np.isfinite(table["loss"]).all()
