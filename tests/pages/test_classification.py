"""Classification: what is shown is what the classifiers of the collection do with the review typed."""

import numpy as np
import pytest

from core.learning.evaluation.classification import KINDS, SEEN
from core.measures.classification import baselines
from core.measures.classification.baselines import LAST_OPINION
from core.measures.classification.contributions import contributions, kendall
from core.measures.classification.flips import flips
from core.measures.classification.forgetting import (
    PLACES,
    REVIEWS,
    asked_about,
    majority,
    table_by_place,
    words_after,
)
from core.measures.classification.verdicts import CLASSIFIERS, accuracy, probability
from core.model.classifier import SequenceClassifier
from core.sources.classifiers import load_classifier, record_of_classifier
from core.text.tokenizer import words_of
from pages.classification.classifier import available
from pages.classification.forgetting import answer
from pages.classification.review import UNSEEN
from pages.classification.switches import BUT, DIFFERS, EXAMPLES
from tests.pages.asked import Asked
from tests.pages.session import numbers

PAGE = "classification"
WORDS = tuple(BUT.split())
TRANSFORMER = list(CLASSIFIERS)[-1]


def opened(view: str, **parameters: object) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def expected(words: tuple[str, ...] = WORDS) -> list[float]:
    return [probability(load_classifier(config, words)) for config in CLASSIFIERS.values()]


def test_the_page_opens_on_a_review_on_which_the_classifiers_disagree() -> None:
    found = expected(tuple(words_of(DIFFERS)))
    assert sum(one > 0.5 for one in found) == 3
    table = Asked(PAGE).table("review_verdicts")
    np.testing.assert_allclose(table["probability of praise"][:7], found, atol=1e-6)


def test_the_bars_are_the_probabilities_of_all_classifiers() -> None:
    session = Asked(PAGE, text=BUT)
    bars, *dots = session.figure("review_verdicts")["data"]
    np.testing.assert_allclose(numbers(bars["x"]) + 0.5, expected(), atol=1e-6)
    assert len(bars["base"]) == 7
    table = session.table("review_verdicts")
    assert list(table.index) == [*CLASSIFIERS, LAST_OPINION]
    np.testing.assert_allclose(table["probability of praise"], [*expected(), np.nan], atol=1e-6)
    one_word = baselines.shares(baselines.BY_LAST_OPINION)
    for kind, drawn in zip(KINDS, dots, strict=True):
        shares = [record_of_classifier(config).accuracies[kind] for config in CLASSIFIERS.values()]
        shares.append(one_word[kind].value)
        np.testing.assert_allclose(numbers(drawn["x"]), shares)
        np.testing.assert_allclose(table[kind], shares)
        errors = [accuracy(record_of_classifier(config), kind).error for config in CLASSIFIERS.values()]
        np.testing.assert_allclose(numbers(drawn["error_x"]["arrayminus"])[:-1], errors)


def test_the_answer_counts_the_verdicts_of_the_review_that_is_typed() -> None:
    session = Asked(PAGE)
    for text in (BUT, "the film was never dull ."):
        session.set(text=text)
        found = expected(tuple(text.split()))
        praise = sum(p >= 0.5 for p in found)
        assert (f"{praise} of 7 classifiers call it praise" in session.prose) == (0 < praise < 7)
        assert ("All 7 classifiers call it" in session.prose) == (praise in (0, 7))
    assert "the last opinion, *dull*, decides" in session.prose


def test_words_that_no_classifier_knows_are_named_and_a_text_without_opinion_has_no_label() -> None:
    session = Asked(PAGE, text="the telepathy was good .")
    assert "**telepathy**†" in session.prose
    session.set(text="the dog sleeps .")
    assert "no word of opinion" in session.prose
    session.set(view="flips")
    assert "no word of opinion" in session.infos[0]


@pytest.mark.parametrize("title", [TRANSFORMER, "LSTM last state"])
def test_contributions_are_those_that_core_computes_and_agree_as_told(title: str) -> None:
    session = opened("contributions", classifier=title)
    found = contributions(load_classifier(CLASSIFIERS[title], WORDS))
    rows = {"ablation": found.ablation, "gradient × input": found.gradient}
    if found.attention is not None:
        rows["attention weight"] = found.attention
    drawn = session.figure("contributions")["data"]
    assert len(drawn) == len(rows) == (3 if title == TRANSFORMER else 2)
    for bars, (name, values) in zip(drawn, rows.items(), strict=True):
        np.testing.assert_allclose(numbers(bars["y"]), values, atol=1e-6)
        np.testing.assert_allclose(session.table("contributions")[name], values, atol=1e-6)
    tau = kendall(np.abs(rows["ablation"]), np.abs(rows["gradient × input"]))
    assert f"ablation and gradient × input **{tau:.2f}**".replace("-", "−") in session.prose
    share = record_of_classifier(CLASSIFIERS[title]).accuracies[SEEN]
    one_word = baselines.shares(baselines.BY_LAST_OPINION)[SEEN].value
    assert (
        f"gets {100 * share:.0f} % right; reading nothing but the last opinion gets {100 * one_word:.0f} %"
        in (session.prose)
    )


def test_along_its_word_vectors_the_slope_of_the_transformer_is_small() -> None:
    """What the page says of layer norms, on other reviews than the one it opens with."""
    for text in EXAMPLES[1:]:
        found = contributions(load_classifier(CLASSIFIERS[TRANSFORMER], tuple(text.split())))
        assert 2 * np.abs(found.gradient).max() < np.abs(found.ablation).max(), text


def test_flips_are_a_row_for_each_change_and_wrong_verdicts_are_counted() -> None:
    session = opened("flips")
    made = flips(WORDS)
    values = np.array([expected(one.words) for one in made])
    table = session.table("flips")
    assert list(table["review"]) == [" ".join(one.words) for one in made]
    np.testing.assert_allclose(table[list(CLASSIFIERS)], values, atol=1e-6)
    labels = np.array([[one.label == "positive"] for one in made])
    wrong = int(((values >= 0.5) != labels).sum())
    assert f"Of all {values.size} verdicts {wrong} are not those of the rules" in session.prose
    # But with an intensifier; and but between two clauses of praise, which the grammar does not make.
    assert [UNSEEN in line for line in session.prose.splitlines() if " → " in line] == [
        flip.what in ("+ negation", "+ intensifier") for flip in made
    ]
    assert list(table["training had its kind"]) == [True, False, False, True, True]


def nobody(config: object) -> SequenceClassifier:
    raise AssertionError("what came with the app was measured again")


def test_the_curves_of_forgetting_are_those_of_the_findings() -> None:
    session = opened("forgetting")
    table = table_by_place(available(), nobody)
    for line, (_, rows) in zip(
        session.figure("forgetting")["data"], table.groupby("model", sort=False), strict=True
    ):
        rows = rows.sort_values("words")
        np.testing.assert_allclose(numbers(line["x"]), rows["words"], atol=0.05)
        assert line["hovertext"][6].endswith(f" at {rows['words'].iloc[6]:.1f} words")
        np.testing.assert_allclose(numbers(line["y"]), rows["share"])
        np.testing.assert_allclose(numbers(line["error_y"]["array"]), rows["high"] - rows["share"])
    assert len(session.table("forgetting")) == 7 * len(PLACES)
    axis = session.figure("forgetting")["layout"]["xaxis"]
    assert axis["ticktext"] == ["0", "20", "40", "60"]
    assert list(axis["tickvals"]) == [0, 20, 40, 60]
    assert axis["range"][0] < 0 < words_after()[-1] < axis["range"][1]
    assert f"**{answer(table, majority())}**" in session.prose
    assert f"{REVIEWS} distinct test reviews" in session.prose


@pytest.mark.long("all reviews of the table: a baseline that is not the more frequent label")
def test_the_baseline_of_forgetting_is_the_more_frequent_label_of_its_reviews() -> None:
    praise = [text.review.label == "positive" for text in asked_about()[0]]
    more = max(sum(praise), len(praise) - sum(praise)) / len(praise)
    assert majority() == more
    session = opened("forgetting")
    (line,) = (
        shape
        for shape in session.figure("forgetting")["layout"]["shapes"]
        if shape["y0"] == shape["y1"] and shape.get("yref") != "paper"  # those are samples of dashes
    )
    assert line["y0"] == more
    assert f"it gets {100 * more:.0f} %" in session.prose


def test_the_last_state_of_an_rnn_forgets_and_every_other_network_here_keeps_more() -> None:
    """Robust: the RNN's last state is at chance from one sentence on, the others far above it."""
    last = table_by_place(available(), nobody).groupby("model").last()["share"]
    assert last.idxmin() == "RNN last state"
    assert last["RNN last state"] < 0.7 < last.drop("RNN last state").median()
    assert words_after()[-1] > 60


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize("view", ["one review", "contributions", "flips"])
def test_the_program_of_each_view_is_about_what_is_typed(view: str) -> None:
    assert '"boring"' in _code(opened(view, text=BUT)).replace("'", '"')


def _code(session: Asked) -> str:
    return str(session.code)
