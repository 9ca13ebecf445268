"""Classification: what is shown is what the classifiers of the collection do with the review typed."""

import re

import numpy as np
import pandas as pd
import pytest

from core.learning.collection.classifiers import name_of_classifier
from core.learning.evaluation.classification import KINDS, QUESTIONS, SEEN
from core.measures.classification import baselines
from core.measures.classification.baselines import LAST_OPINION
from core.measures.classification.contributions import Contributions, contributions, kendall
from core.measures.classification.flips import Flip, flips
from core.measures.classification.forgetting import (
    PLACES,
    REVIEWS,
    asked_about,
    majority,
    table_by_place,
    words_after,
)
from core.measures.classification.verdicts import CLASSIFIERS, Share, accuracy, probability
from core.sources.classifiers import record_of_classifier
from core.text.language.review_parts import held_out_kinds
from pages.classification import BUT, EXAMPLES
from pages.classification.contributing import small_ratio
from pages.classification.flipping import said_of_flips
from pages.classification.forgetting import said_of
from pages.classification.how_measured import what_is_asked, what_it_proves
from pages.classification.said import UNSEEN
from tests.pages.session import Session, numbers, readable
from tests.pages.test_hostile_text import UNESCAPED
from tests.programs import printed

PAGE = "classification"
WORDS = tuple(BUT.split())
TRANSFORMER = list(CLASSIFIERS)[-1]


def opened(view: str, **parameters: object) -> Session:
    return Session(PAGE, view=view, **parameters)


def expected(words: tuple[str, ...] = WORDS) -> list[float]:
    return [probability(config, words) for config in CLASSIFIERS.values()]


def test_the_bars_are_the_probabilities_of_all_classifiers() -> None:
    session = Session(PAGE, review_verdicts_table=True)
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
        errors = [accuracy(config, kind).error for config in CLASSIFIERS.values()]
        np.testing.assert_allclose(numbers(drawn["error_x"]["arrayminus"])[:-1], errors)


def test_the_page_says_what_one_word_gets_and_how_near_to_training_the_reviews_are() -> None:
    prose = Session(PAGE).prose
    one_word = baselines.shares(baselines.BY_LAST_OPINION)
    assert one_word["but + intensifier"].value == 1
    assert (
        f"it gets {100 * one_word[SEEN].value:.0f} % on *kinds seen*, 0 % on *although + negation*" in prose
    )
    assert (
        "On *but + intensifier* that one word is enough, so a right answer there proves no composition."
        in prose
    )
    near = baselines.shares(baselines.NEAR_TO_TRAINING)[SEEN].value * QUESTIONS
    assert f"of *kinds seen* {near:.0f} and" in prose


def test_only_where_one_word_is_enough_nothing_is_proved() -> None:
    rows = [
        (model, kind, share)
        for model, shares in {
            "A": (0.9, 0.9, 0.8, 1.0, 0.7),
            LAST_OPINION: (1.0, 1.0, 0.25, 0.75, 0.5),
        }.items()
        for kind, share in zip(KINDS, shares, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["model", "kind", "share"])
    half = dict.fromkeys(KINDS, Share(0.5, 0.1))
    said = what_it_proves(table, half)
    assert "proves no composition" not in said
    assert "it gets 100 % on *kinds seen*, 25 % on *although + negation*, 75 % on *but + intensifier*" in said
    assert "The majority-class baseline gets 50 %. Lowest" in said
    assert said.endswith("Lowest on what was held out: A on *adjective never negated*, 70 %.")
    table.loc[(table["model"] == LAST_OPINION) & (table["kind"] == "but + intensifier"), "share"] = 1.0
    assert "On *but + intensifier* that one word is enough" in what_it_proves(table, half)


def test_neighbours_in_training_are_named_by_their_kind_or_said_to_be_none() -> None:
    near = {kind: Share(n / QUESTIONS, 0.1) for kind, n in zip(KINDS, (7, 7, 0, 0, 3), strict=True)}
    assert (
        "Training has none of them; of *kinds seen* 7 and of *adjective never negated* 3 differ from one of "
        "its reviews in one word, of *although + negation* and *but + intensifier* none does."
    ) in what_is_asked(near)


def test_the_sentence_counts_the_verdicts_and_names_the_word_that_decides() -> None:
    praise = sum(p >= 0.5 for p in expected())
    session = Session(PAGE)
    counted = f"{praise} of 7 classifiers call it praise" if 0 < praise < 7 else "All 7 classifiers call it"
    assert counted in session.prose
    assert "By the rules it is **blame**: the last opinion, *boring*, decides." in session.prose
    session.set(text="the film was never dull .")
    assert f"it is **praise**{UNSEEN}: the last opinion, *dull*, decides" in session.prose
    assert "Held out of training: *adjective never negated*." in session.prose
    wrong = [
        title for title, p in zip(CLASSIFIERS, expected(tuple(session.value("text").split())), strict=True)
        if p < 0.5
    ]  # fmt: skip
    assert ("Wrong: " + ", ".join(wrong) in session.prose) == bool(wrong)


def test_words_that_no_classifier_knows_are_named_and_a_text_without_opinion_has_no_label() -> None:
    session = Session(PAGE, text="the telepathy was good .")
    assert "**telepathy**†" in session.prose
    session.set(text="the dog sleeps .")
    assert "no word of opinion" in session.prose
    session.set(view="flips")
    assert "no word of opinion" in session.infos[0]


@pytest.mark.parametrize(
    "text",
    ["the acting was good but the story was not boring .", "the film was not very good .", "good"],
)
def test_a_text_that_the_grammar_does_not_make_is_marked(text: str) -> None:
    assert held_out_kinds(text.split()) == ()
    session = Session(PAGE, text=text)
    assert f"**{UNSEEN}: the last opinion" in session.prose
    assert "The grammar that made the reviews of training does not make this text." in session.prose
    session.set(view="flips")
    assert f"{text} → praise{UNSEEN}".replace("very good . → praise", "very good . → blame") in readable(
        session.prose
    )


def test_a_review_among_neutral_sentences_is_not_marked() -> None:
    assert UNSEEN not in Session(PAGE, text=EXAMPLES[-1]).prose
    assert UNSEEN not in Session(PAGE).prose


def test_only_verdicts_that_turn_are_counted_as_turned() -> None:
    """The first model never moves, and is right after the change all the same; the second one turns twice."""
    made = (
        Flip("as typed", ("good",), "positive"),
        Flip("+ negation", ("not", "good"), "negative"),
        Flip("+ intensifier", ("very", "good"), "positive"),
    )
    values = np.array([[0.1, 0.9], [0.1, 0.3], [0.1, 0.4]])
    told = said_of_flips(made, values, 3)
    assert "1 of 2 changes turn the label round: 1 of 2 verdicts turn with it." in told
    assert "The other changes turn 1 of 2 verdicts round." in told
    assert "least is *+ intensifier*, by 0.250 on average: it turns 1 of 2 verdicts round." in told
    assert "Of all 6 verdicts 3 are not those of the rules" in told
    alike = tuple(Flip(flip.what, flip.words, "positive") for flip in made)
    assert "0 of 2 changes turn the label round. The other" in said_of_flips(alike, values, 3)


@pytest.mark.parametrize("title", [TRANSFORMER, "LSTM last state"])
def test_contributions_are_those_that_core_computes_and_agree_as_told(title: str) -> None:
    session = opened("contributions", classifier=title, contributions_table=True)
    found = contributions(CLASSIFIERS[title], WORDS)
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
    assert ("Attention is not explanation" in session.prose) == (title == TRANSFORMER)
    assert ("The two measures ask different questions" in session.prose) == (title != TRANSFORMER)
    assert ("has no attention" in session.prose) == (title != TRANSFORMER)
    ratio = np.abs(found.gradient).max() / np.abs(found.ablation).max()
    assert (f"gradient × input is {100 * ratio:.0f} % of" in session.prose) == (title == TRANSFORMER)
    share = record_of_classifier(CLASSIFIERS[title]).accuracies[SEEN]
    one_word = baselines.shares(baselines.BY_LAST_OPINION)[SEEN].value
    assert (
        f"gets {100 * share:.0f} % right; reading nothing but the last opinion gets {100 * one_word:.0f} %"
        in (session.prose)
    )


@pytest.mark.parametrize("title", [TRANSFORMER, "RNN mean"])
def test_words_that_are_all_unknown_have_no_bars_no_winner_and_no_share_of_nothing(title: str) -> None:
    session = opened("contributions", classifier=title, text="hello qwertz", contributions_table=True)
    assert list(session.table("contributions")["ablation"]) == [0, 0]
    assert list(numbers(session.figure("contributions")["data"][0]["y"])) == [0, 0]
    prose = readable(session.prose)
    assert "No word counts by ablation: the model reads each one as <unk>" in prose
    assert "by ablation hello" not in prose.replace("*", "")
    assert "Rank agreement" not in prose
    level = "ablation and gradient × input" if title == TRANSFORMER else "ablation"
    assert f"By {level} all words are level: there is no order to compare." in prose
    assert "of the largest ablation" not in prose
    if title == TRANSFORMER:
        assert "by gradient × input none alone, 2 words are level; by attention weight **hello**" in prose


def test_log_odds_above_zero_are_praise_and_those_below_are_blame() -> None:
    session = opened("contributions", text="the film was great .")
    assert re.search(r"log-odds of praise are \*\*[\d.]+\*\*: praise\.", session.prose)
    session.set(text="the film was boring .")
    assert re.search(r"log-odds of praise are \*\*−[\d.]+\*\*: blame\.", session.prose)


@pytest.mark.parametrize("title", [TRANSFORMER, "LSTM last state"])
def test_one_word_has_no_order(title: str) -> None:
    prose = opened("contributions", classifier=title, text="good").prose
    assert "One word has no order, so there is no rank agreement." in prose
    assert "–" not in prose
    assert "Kendall" not in prose


@pytest.mark.parametrize(
    ("slope", "fall", "told"),
    [
        (1.0, 4.0, ": here the largest gradient × input is 25 % of the largest ablation"),
        (3.0, 4.0, ""),
        (3.0, 1e-5, ""),
        (3.0, 0.0, ""),
    ],
)
def test_the_slope_is_called_small_where_it_is(slope: float, fall: float, told: str) -> None:
    found = Contributions(1.0, np.array([fall / 2, -fall]), np.array([-slope, 0.0]), None)
    assert small_ratio(found).replace("\u202f", " ").replace("\xa0", " ") == told


def test_along_its_word_vectors_the_slope_of_the_transformer_is_small() -> None:
    """What the page says of layer norms, on other reviews than the one it opens with."""
    for text in EXAMPLES[1:]:
        found = contributions(CLASSIFIERS[TRANSFORMER], tuple(text.split()))
        assert 2 * np.abs(found.gradient).max() < np.abs(found.ablation).max(), text


def test_flips_are_a_row_for_each_change_and_wrong_verdicts_are_counted() -> None:
    session = opened("flips", flips_table=True)
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
    turned = (values >= 0.5) != (values[:1] >= 0.5)
    by_rules = np.array([flip.what in ("+ negation", "exchanged") for flip in made])
    n_turned = int(turned[by_rules].sum())
    assert f"2 of 4 changes turn the label round: {n_turned} of 14 verdicts turn with it" in session.prose
    assert f"The other changes turn {int(turned[~by_rules].sum())} of 14 verdicts round." in session.prose
    assert "the story was boring but the acting was good . → praise" in readable(session.prose)


def test_typed_markup_stands_for_itself_in_every_flip() -> None:
    prose = opened("flips", text="the film was great <b>x</b>").prose
    assert "the film was very great < b > x" in readable(prose)
    assert not UNESCAPED.search(prose)


def test_the_curves_of_forgetting_are_those_of_the_findings() -> None:
    session = opened("forgetting", forgetting_table=True)
    table = table_by_place()
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
    assert said_of(table, majority()) in session.prose
    assert f"{REVIEWS} distinct test reviews" in session.prose


def test_the_baseline_of_forgetting_is_the_more_frequent_label_of_its_reviews() -> None:
    praise = [text.review.label == "positive" for text in asked_about()[0]]
    more = max(sum(praise), len(praise) - sum(praise)) / len(praise)
    assert majority() == more
    session = opened("forgetting")
    (line,) = (
        shape for shape in session.figure("forgetting")["layout"]["shapes"] if shape["y0"] == shape["y1"]
    )
    assert line["y0"] == more
    assert f"it gets {100 * more:.0f} %" in session.prose


def test_a_fall_is_told_where_it_is_more_than_its_error() -> None:
    rows = [
        (model, after, words, share, share - 0.02, share + 0.02)
        for model, shares in {"A": (1.0, 0.5), "B": (1.0, 0.97), "C": (0.9, 0.7)}.items()
        for after, words, share in zip((0, 6), (2.0, 60.4), shares, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["model", "after", "words", "share", "low", "high"])
    said = said_of(table, 0.54)
    assert "With 60 words after the one that decides" in said
    no_better = "no better than the majority-class baseline"
    assert f"**A** falls from 100 % to 50 %, {no_better}; **C** falls from 90 % to 70 %." in said
    assert f"**C** falls from 90 % to 70 %, {no_better}." in said_of(table, 0.67)
    assert no_better not in said_of(table, 0.45)
    assert "No clear loss: B." in said
    assert "comes last, " not in said
    assert said_of(table[table["model"] == "B"], 0.5).startswith("No classifier is clearly worse")


def test_an_average_that_is_worse_where_what_decides_comes_last_is_told() -> None:
    rows = [
        (model, after, words, share, share - 0.02, share + 0.02)
        for model, shares in {"A mean": (0.9, 1.0), "B max": (0.9, 1.0), "C mean": (0.99, 1.0)}.items()
        for after, words, share in zip((0, 6), (2.0, 60.4), shares, strict=True)
    ]
    said = said_of(pd.DataFrame(rows, columns=["model", "after", "words", "share", "low", "high"]), 0.5)
    assert "Where what decides comes last, **A mean** has only 90 %: the states before it" in said


def test_the_last_state_of_an_rnn_forgets_and_every_other_network_here_keeps_more() -> None:
    """Robust: the RNN's last state is at chance from one sentence on, the others far above it."""
    last = table_by_place().groupby("model").last()["share"]
    assert last.idxmin() == "RNN last state"
    assert last["RNN last state"] < 0.7 < last.drop("RNN last state").median()
    assert words_after()[-1] > 60


@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize("view", ["one review", "contributions", "flips"])
def test_the_program_of_each_view_is_about_what_is_typed(view: str) -> None:
    assert '"boring"' in _code(opened(view, code=True)).replace("'", '"')


def test_the_program_of_forgetting_names_every_classifier() -> None:
    code = _code(opened("forgetting", code=True))
    assert all(name_of_classifier(config) in code for config in CLASSIFIERS.values())


def test_the_program_of_flips_prints_the_grid() -> None:
    lines = printed(_code(opened("flips", code=True)), alone=False).splitlines()
    found = np.array([line.split()[1:] for line in lines], dtype=float)
    np.testing.assert_allclose(found.T, [expected(one.words) for one in flips(WORDS)], atol=6e-4)


def _code(session: Session) -> str:
    return str(session.app.code[0].value)


@pytest.mark.usefixtures("empty_shelf")
@pytest.mark.parametrize("view", ["one review", "contributions", "flips", "forgetting"])
def test_without_classifiers_a_view_says_what_to_do(view: str) -> None:
    assert "python -m core.learning.collection review-" in opened(view).warnings[0]
