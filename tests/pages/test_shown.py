"""One head, the mean over heads or the rollout: what is drawn, and what its cells are made of."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.heads.rollout import rollout, through
from core.measures.reading import Reading
from tests.pages.asked import Asked
from tests.pages.session import computed

TEXT = "the cat saw the <b>other</b> cat"
N = len(computed(TEXT).words)


def expected(reading: Reading, show: str, layer: int) -> np.ndarray:
    patterns = reading.patterns()
    return {
        "head": patterns[layer, 0],
        "mean over heads": patterns[layer].mean(axis=0),
        "rollout": rollout(patterns[: layer + 1], residual=reading.config.residual),
    }[show]


def drawn(session: Asked) -> np.ndarray:
    """The weights that the lines show."""
    weights = np.zeros((N, N))
    for query, key, weight in session.drawing("lines")["lines"]:
        weights[int(query), int(key)] = weight
    return weights


@pytest.mark.parametrize(
    ("show", "layer"),
    [
        ("head", 1),
        ("mean over heads", 0),
        ("mean over heads", 2),
        ("rollout", 0),
        ("rollout", 1),
        ("rollout", 2),
    ],
)
def test_matrix_and_lines_show_what_is_chosen_up_to_the_layer(show: str, layer: int) -> None:
    session = Asked(
        model="random", text=TEXT, view="matrix", layers=3, layer=layer + 1, head=1, show=show, mass=100
    )
    weights = expected(computed(TEXT, n_layers=3), show, layer)

    assert_allclose(np.nan_to_num(session.matrix("matrix")), weights, atol=1e-6)
    session.set(view="lines")
    assert_allclose(drawn(session), weights, atol=1e-6)


@pytest.mark.parametrize("show", ["mean over heads", "rollout"])
@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_the_choice_is_made_by_hand_too(show: str, mask: str) -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, mask=mask)
    session.set(show=show)

    assert_allclose(
        np.nan_to_num(session.matrix("matrix")), expected(computed(TEXT, mask=mask), show, 1), atol=1e-6
    )


@pytest.mark.parametrize("view", ["matrix", "lines"])
def test_what_is_over_all_heads_says_that_the_menu_of_heads_does_nothing(view: str) -> None:
    session = Asked(model="random", text=TEXT, view=view, show="rollout", head=3)
    assert "The rollout is over all heads: the menu *Head* has no effect on it." in session.prose
    session.set(show="mean over heads")
    assert "The mean is over all heads: the menu *Head* has no effect on it." in session.prose
    session.set(show="head")
    assert "has no effect" not in session.prose


def test_without_residual_connections_the_rollout_hands_nothing_on() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, show="rollout", residual=False)

    assert_allclose(
        np.nan_to_num(session.matrix("matrix")),
        rollout(computed(TEXT, residual=False).patterns(), residual=False),
        atol=1e-6,
    )
    assert "nothing is carried past a layer" in session.prose


@pytest.mark.parametrize(
    ("show", "title"),
    [
        ("mean over heads", "Attention weights, layer 2, mean over 4 heads"),
        ("rollout", "Attention rollout over layers 1 to 2"),
    ],
)
def test_the_picture_says_what_it_shows(show: str, title: str) -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, show=show)

    assert title in session.figure("matrix")["layout"]["title"]["text"]
    assert session.alt("matrix").startswith(f"{title}: attention")


def test_a_cell_of_the_mean_is_the_mean_of_the_heads_weights() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, show="mean over heads", query=6, key=2)
    weights = computed(TEXT).patterns()[1, :, 5, 1]

    (latex,) = session.latex
    assert " + ".join(f"{weight:.3f}" for weight in weights) in latex
    assert f"= {weights.mean():.3f}" in latex
    assert "no softmax of its own" in session.prose


def test_the_mean_over_a_single_head_is_no_fraction() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", heads=1, show="mean over heads", query=6, key=2)
    (latex,) = session.latex
    (weight,) = computed(TEXT, n_heads=1).patterns()[0, :, 5, 1]
    assert latex == f"{weight:.3f}"


def test_a_cell_of_the_rollout_says_which_words_it_came_through() -> None:
    session = Asked(
        model="random", text=TEXT, view="matrix", layer=2, show="rollout", query=N, key=2, origin_table=True
    )
    patterns = computed(TEXT).patterns()
    parts = through(patterns, N - 1, 1)
    strongest = int(parts.argmax())
    passed = f"{computed(TEXT).words[strongest]} ({strongest + 1}) {parts.max():.3f}"

    prose = session.prose.replace("**", "")
    share = f"{rollout(patterns)[N - 1, 1]:.3f}"
    assert f"{share} of the state of cat ({N}) after layer 2 comes from cat (2)." in prose
    assert f"Before layer 2 this share is spread over {passed}" in prose
    assert_allclose(session.table("origin")["share"], parts, atol=1e-6)


def test_a_cell_of_one_layer_has_come_through_no_other_word() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", show="rollout", query=N, key=2)

    assert "of the state of" in session.prose
    assert "has come to" not in session.prose


def test_a_cell_that_no_path_reaches_has_no_words() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, show="rollout", query=2, key=N)

    assert "0.000** of the state of" in session.prose
    assert "has come to" not in session.prose


@pytest.mark.parametrize("show", ["mean over heads", "rollout"])
def test_what_has_no_calculation_shows_none(show: str) -> None:
    session = Asked(model="random", text=TEXT, view="matrix", layer=2, show=show)

    assert "to see where its weight comes from" in session.prose
    session.set(query=4, key=1)
    assert not any("exp" in formula for formula in session.latex)
    session.set(show="head")
    assert any("exp" in formula for formula in session.latex)


def test_a_clicked_cell_of_all_heads_is_one_of_the_chosen_head() -> None:
    session = Asked(model="random", text=TEXT, view="matrix", show="rollout")
    session.set(view="all heads")

    session.click("matrix", x=1, y=3)

    assert (session.value("view"), session.value("show")) == ("matrix", "head")
    assert "attends to" in session.prose
