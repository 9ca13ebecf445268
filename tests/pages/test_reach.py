"""How far networks reach, on the page of interaction distance: accuracies by distance, and influences."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from core.learning.checkpoints import Record
from core.learning.evaluation.phenomena import DISTANCES
from core.learning.training import Recipe
from core.measures.distance import long_range
from core.model.config import ModelConfig
from core.sources import load
from core.sources.trained import load_members, records_of_members
from core.text.language import encode
from pages.controls.examples import CHEF, TEA
from tests.pages.asked import Asked
from tests.pages.session import numbers
from tests.records import record_of
from viz.bar_rows import FULL

PAGE = "interaction-distance"
NETWORKS = ["Transformer", "LSTM", "RNN"]
WORDS = ["1–2", "3–5", "6–10", "11–20", "21–48"]
BEST = [1, 1, 1, 0.98, 0.99]

Models = list[Mapping[str, str]]


def told(
    monkeypatch: pytest.MonkeyPatch, *shares: list[float], steps: tuple[int, int, int] = (5000, 5000, 5000)
) -> Models:
    """Have the records of the three networks say this; what was asked for is listed."""
    asked: Models = []

    def records(names: Mapping[str, str]) -> dict[str, Record]:
        asked.append(names)
        what = "recall" if "recall" in names["LSTM"] else "agreement"
        return {
            name: record_of(
                ModelConfig(vocab_size=1),
                task=what,
                recipe=Recipe(steps=n, batch_size=64),
                accuracies={f"{what} {a}–{b}": share for (a, b), share in zip(DISTANCES, found, strict=True)},
            )
            for name, found, n in zip(NETWORKS, shares, steps, strict=True)
        }

    monkeypatch.setattr("pages.interaction_distance.trained.records_of_members", records)
    return asked


@pytest.mark.parametrize("chart", ["recall", "agreement"])
def test_a_curve_for_every_network_and_one_for_the_baseline(
    chart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = [BEST, [0.9, 0.8, 0.7, 0.6, 0.55], [0.75, 0.5, 0.25, 0.2, 0.12]]
    told(monkeypatch, *shares)
    session = Asked(PAGE, view=chart, **{f"{chart}_chart_table": True})
    figure = session.figure(f"{chart}_chart")

    levels = list(long_range.baselines(chart))
    for trace, name, found in zip(figure["data"], [*NETWORKS, "baseline"], [*shares, levels], strict=True):
        np.testing.assert_allclose(numbers(trace["y"]), found)
        assert trace["hovertext"][4] == f"{name}: {100 * found[4]:.0f} % at 21–48 words"
    assert figure["layout"]["xaxis"]["ticktext"] == WORDS
    assert "baseline" in [note["text"] for note in figure["layout"]["annotations"]]
    table = session.table(f"{chart}_chart")
    assert (list(table.index), list(table.columns)) == ([*NETWORKS, "baseline"], WORDS)
    np.testing.assert_allclose(table.to_numpy(), [*shares, levels])
    assert f"Accuracy on {chart} against distance. Transformer 100 % at 1–2" in session.alt(f"{chart}_chart")


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [("positions", "rotary", "positions"), ("heads", 8, "n_heads"), ("norm", "post", "norm")],
)
def test_the_transformer_of_agreement_is_that_of_the_switches(
    name: str, value: Any, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = told(monkeypatch, BEST, BEST, BEST)
    Asked(PAGE, view="agreement", **{name: value})
    assert asked == [long_range.rivals("agreement", ModelConfig(vocab_size=1, **{field: value}))]


def test_switches_are_there_for_charts_that_they_change() -> None:
    for chart, has in [("operations", False), ("recall", False), ("agreement", True), ("influence", True)]:
        session = Asked(PAGE, view=chart)
        assert [session.has(name) for name in ("positions", "heads", "norm")] == [has] * 3
        assert session.has("model") == (chart == "influence")


def of_core(
    words: list[str], target: int, config: ModelConfig, source: str, seed: int
) -> long_range.Influences:
    """The influences in the three networks."""
    if source == "trained":
        models = load_members(long_range.rivals("agreement", config))
        return long_range.influences(models, encode(words).tokens, target)
    loaded = load(source, long_range.at_random(config), words, seed)
    models = {"Transformer": loaded.model, **long_range.random_rivals(loaded, seed)}
    return long_range.influences(models, loaded.tokens, target)


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"text": CHEF, "from_": 2, "to": 12},
        {"text": CHEF, "from_": 12, "to": 4, "positions": "rotary", "heads": 2, "norm": "post"},
        {"model": "random"},
        {"model": "random", "seed": 7, "positions": "alibi", "text": "xyzzy two two"},
        {"layers": 6, "mask": "causal"},
    ],
)
def test_bars_are_the_shares_of_influence(parameters: dict[str, Any]) -> None:
    session = Asked(PAGE, view="influence", **parameters)
    words = parameters.get("text", CHEF).split()
    target = parameters.get("to", len(words)) - 1
    config = ModelConfig(
        vocab_size=1,
        positions=parameters.get("positions", "sinusoidal"),
        n_heads=parameters.get("heads", 4),
        norm=parameters.get("norm", "pre"),
    )
    source, seed = parameters.get("model", "trained"), parameters.get("seed", 0)
    expected = of_core(words, target, config, source, seed)
    shares = expected.shares()

    for trace, row in zip(session.figure("influence")["data"], shares, strict=True):
        np.testing.assert_allclose(numbers(trace["y"]), FULL * row / shares.max(), rtol=1e-4)
    table = session.table("influence")
    for network, row in zip(expected.norms, shares, strict=True):
        np.testing.assert_allclose(table[f"{network}, norm"], expected.norms[network], rtol=1e-4)
        np.testing.assert_allclose(table[f"{network}, share"], row, rtol=1e-4)


@pytest.mark.usefixtures("noise_shelf")
def test_unknown_words_are_named_and_the_bars_of_the_chosen_word_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    norms = {"Transformer": [2, 1, 1, 0, 0], "LSTM": [0, 0, 4, 0, 0], "RNN": [1, 999, 1000, 0, 0]}
    found = long_range.Influences({name: np.array(row, dtype=float) for name, row in norms.items()})
    monkeypatch.setattr(long_range, "influences", lambda *_, **__: found)
    session = Asked(PAGE, view="influence", text=TEA.replace("made", "xyzzied"), to=3)

    assert "**xyzzied**†: not among the words" in session.prose
    assert (
        "Share of every word in the influence on the state of “his”. "
        "The largest bars: Transformer: Zuko 50.0 %" in session.alt("influence")
    )
    assert "xyzzied†" in session.figure("influence")["layout"]["xaxis"]["ticktext"]


def test_a_seed_is_asked_for_only_where_weights_are_drawn() -> None:
    session = Asked(PAGE, view="influence", model="random", text="xyzzy two")
    assert session.figure("influence")["layout"]["xaxis"]["ticktext"][0] == "xyzzy", "no word is unknown"
    before = session.figure("influence")["data"]
    session.set(seed=5)
    assert session.figure("influence")["data"] != before
    session.set(model="trained")
    assert not session.has("seed")


def test_what_the_shipped_networks_say_is_on_the_page() -> None:
    config = ModelConfig(vocab_size=1)
    for chart in ("recall", "agreement"):
        session = Asked(PAGE, view=chart)
        table = long_range.accuracy_table(chart, records_of_members(long_range.rivals(chart, config)))
        for trace, (_, rows) in zip(
            session.figure(f"{chart}_chart")["data"][:3], table.groupby("network", sort=False), strict=True
        ):
            np.testing.assert_allclose(numbers(trace["y"]), rows["accuracy"])


@pytest.mark.usefixtures("noise_shelf")
def test_a_sentence_that_nobody_has_touched_makes_way_for_that_of_the_view() -> None:
    session = Asked(PAGE)
    session.set(view="influence")
    assert session.value("text") == CHEF
    session.set(view="networks")
    assert session.value("text") == TEA
    session.set(text="one two three")
    session.set(view="influence")
    assert session.value("text") == "one two three"


@pytest.mark.parametrize("view", ["recall", "agreement", "influence"])
@pytest.mark.usefixtures("noise_shelf")
def test_what_is_fixed_has_no_switch(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, BEST, BEST, BEST)
    session = Asked(PAGE, view=view)
    assert not any(session.has(name) for name in ("mask", "layers"))
    assert ("All three networks are causal and have 2 layers" in session.prose) == (view != "recall")
