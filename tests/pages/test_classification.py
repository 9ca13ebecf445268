"""Classification: the page shows the results of the collection's classifiers for the typed review."""

import numpy as np
import pandas as pd

from core.measures.classification.flips import Flip
from core.measures.classification.reviews import (
    CLASSIFIERS,
    LAST_OPINION,
    Contributions,
    contributions,
    place_of,
    probability,
)
from core.sources.trained import load_classifier
from core.text.language import UNKNOWN
from core.text.language.review_parts import held_out_kinds
from core.text.tokenizer import words_of
from pages.classification import accuracies, flips, one_review
from pages.classification.one_review import ATTENTION, GRADIENT, REPLACEMENT
from pages.classification.review import BUT, DIFFERS, UNSEEN, Review
from pages.contract.arrangement import arranged
from pages.contract.look import Look
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable

PAGE = "classification"
WORDS = tuple(BUT.split())


def expected(words: tuple[str, ...] = WORDS) -> list[float]:
    return [probability(load_classifier(config, words)) for config in CLASSIFIERS.values()]


def by_place(found: list[float]) -> np.ndarray:
    """Return the probabilities of all classifiers by network and pooling; NaN if none is trained."""
    places = {place_of(config): value for config, value in zip(CLASSIFIERS.values(), found, strict=True)}
    networks, ways = (list(dict.fromkeys(names)) for names in zip(*places, strict=True))
    return np.array([[places.get((one, way), np.nan) for way in ways] for one in networks])


def opened(view: str = "one review", **parameters: object) -> Asked:
    return Asked(PAGE, view=view, **parameters)


def review(text: str) -> Review:
    return Review(tuple(text.split()))


def test_the_page_opens_on_a_review_on_which_the_classifiers_disagree() -> None:
    session, found = Asked(PAGE), expected(tuple(words_of(DIFFERS)))
    n_praise = sum(one > 0.5 for one in found)
    assert session.sheet.headline.startswith(
        f"By the rules this is praise, and {n_praise} of 7 classifiers agree."
    )
    np.testing.assert_allclose(session.matrix("review_verdicts"), by_place(found), atol=1e-6)
    right = session.alt("review_verdicts").rpartition("Right: ")[2].rstrip(".").split(", ")
    places = [" ".join(place_of(config)) for config in CLASSIFIERS.values()]
    assert right == [name for name, one in zip(places, found, strict=True) if one > 0.5]


def test_a_click_chooses_the_classifier_or_hides_a_word_from_all() -> None:
    session = opened(text=BUT)
    session.click("review_verdicts", x=0, y=1)
    title = "LSTM (last state)"
    assert session.value("classifier") == title
    found = contributions(load_classifier(CLASSIFIERS[title], WORDS))
    np.testing.assert_allclose(session.table("contributions")[REPLACEMENT], found.ablation, atol=1e-6)
    assert f"The {title} calls it blame" in session.sheet.headline

    session, words = Asked(PAGE), tuple(words_of(DIFFERS))
    session.click("contributions", x=9, y=0.5, data=(1, 9))
    assert session.value("hidden") == 10
    before, after = expected(words), expected((*words[:9], UNKNOWN, *words[10:]))
    for panel, found_there in enumerate((before, after)):
        shown = session.matrix("review_verdicts", panel=panel)
        np.testing.assert_allclose(shown, by_place(found_there), atol=1e-6)
    turned = sum((one >= 0.5) != (other >= 0.5) for one, other in zip(before, after, strict=True))
    assert session.sheet.headline.startswith("Without *not* the Transformer calls it blame")
    assert session.sheet.headline.endswith(f"{turned} of 7 verdicts flip.")
    session.set(text="the <b> was good .", hidden=2)
    captions = [note["text"] for note in session.figure("review_verdicts")["layout"]["annotations"]]
    assert "<b>without &lt;</b>" in captions, "a word is no markup"


def weighed(ablation: list[float], *, log_odds: float = 1.5) -> Contributions:
    return Contributions(log_odds, np.array(ablation), np.array([0.5, -0.25]), None)


@each(
    ("found", "said"),
    [
        (
            weighed([0.5, -2.0]),
            "1 of 2 classifiers calls it praise. The A calls it praise: replacing *film* by <unk> changes",
        ),
        (weighed([2.0, -2.0]), "replacing each of 2 words by <unk> changes its log-odds most, and equally."),
        (weighed([0.0, 0.0]), "replacing a word by <unk> changes nothing."),
        (weighed([1.0, 0.0], log_odds=0.0), "The A calls it praise:"),
    ],
)
def test_the_verdict_and_the_word_that_counts_most_are_the_answer(found: Contributions, said: str) -> None:
    headline = one_review.headline(review("the film"), "A", {"A": 0.5, "B": 0.25}, found)
    assert said in readable(headline)


def test_verdicts_that_flip_without_a_word_or_are_wrong_are_counted() -> None:
    before, after = {"A": 0.75, "B": 0.25}, {"A": 0.25, "B": 0.125}
    said = one_review.without_word(review("the <b>"), "A", before, after, 1)
    assert "the A calls it blame: p(praise) is 0.250. With " in said
    assert said.endswith(" it is 0.750. 1 of 2 verdicts flips.")
    assert "<b>" not in said
    assert one_review.without_word(review("a b"), "B", before, before, 0).endswith("0 of 2 verdicts flip.")
    assert one_review.mistaken("positive", before) == " Wrong: B."
    assert one_review.mistaken("negative", {"A": 0.5, "B": 0.25}) == " Wrong: A."
    assert one_review.mistaken("negative", {"B": 0.25}) == " All classifiers are right."
    assert one_review.mistaken(None, before) == ""


OTHER = "The grammar that made the reviews of training does not make this text."


@each(
    ("text", "begins", "ends"),
    [
        (BUT, "By the rules it is **blame**: the last opinion, *boring*, decides.", ""),
        ("the film was never dull .",
         f"By the rules it is **praise**{UNSEEN}: the last opinion, *dull*, reversed by *never*, decides. "
         "Held out of training: ",
         "*adjective never negated*."),
        ("good", f"By the rules it is **praise**{UNSEEN}", OTHER),
    ],
)  # fmt: skip
def test_the_rules_name_the_deciding_word_and_the_unseen_kind(text: str, begins: str, ends: str) -> None:
    said = review(text).by_rules()
    assert said.startswith(begins)
    assert said.endswith(ends)
    assert (OTHER in said) == (ends == OTHER)
    assert ends != OTHER or held_out_kinds(text.split()) == ()


def test_each_measure_names_its_first_word_or_says_why_it_has_none() -> None:
    rows = {
        REPLACEMENT: np.array([1.0, -2.0]),
        GRADIENT: np.array([0.5, 0.5]),
        ATTENTION: np.array([0.6, 0.4]),
    }
    said = one_review.first_words(review("the film"), rows)
    assert (
        "by replacement **film**; by gradient × input no single word: 2 words are equal; by attention" in said
    )
    level = {REPLACEMENT: np.zeros(2), GRADIENT: np.zeros(2)}
    said = one_review.first_words(review("hello qwertz"), level)
    assert said.startswith(
        "No word counts by replacement or gradient × input: all contributions are less than"
    )
    said = readable(one_review.first_words(review("hello qwertz"), rows | {REPLACEMENT: np.zeros(2)}))
    assert "No word counts by replacement: the model reads each one as <unk>, so replacing" in said
    said = one_review.first_words(review("hello film"), rows | {REPLACEMENT: np.zeros(2)})
    assert said.endswith("which is rounding.")


def rates(last_opinion: tuple[float, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {"A": (0.9, 0.9, 0.8, 1.0, 0.7), LAST_OPINION: last_opinion},
        index=list(accuracies.KIND_NAMES.values()),
    ).T


def test_only_if_one_word_is_enough_little_is_proved() -> None:
    said = accuracies.what_it_proves(rates((1.0, 1.0, 0.25, 0.75, 0.5)))
    assert "proves little" not in said
    assert said.endswith("A on *not + new*, 70 %.")
    said = accuracies.what_it_proves(rates((1.0, 1.0, 0.25, 1.0, 0.5)))
    assert "On *but, very* that word is enough, so a right answer proves little." in said


def changed(labels: str, values: list[list[float]]) -> flips.ReviewChanges:
    """Return a review with two changes, and for each the label of the rules, + or −."""
    whats = ("as typed", "+ negation", "+ intensifier")
    named = ["positive" if one == "+" else "negative" for one in labels]
    made = tuple(Flip(what, (what,), label) for what, label in zip(whats, named, strict=True))
    return flips.ReviewChanges(made, ("A", "B"), np.array(values))


VALUES = [[0.1, 0.9], [0.1, 0.3], [0.1, 0.4]]
"""The first model never moves, and is right after the change all the same; the second one turns twice."""


@each(
    ("labels", "said"),
    [
        ("+-+", "*+ negation* flips the label. Then 1 of 2 verdicts flips."),
        ("+--", "*+ negation* and *+ intensifier* flip the label. Then 1 of 4 verdicts flips."),
        ("+++", "no change flips the label, but 1 of 4 verdicts flips."),
    ],
)
def test_only_verdicts_that_flip_are_counted_as_flipped(labels: str, said: str) -> None:
    found = changed(labels, [[0.1, 0.9], [0.1, 0.3], [0.1, 0.6]])
    assert flips.headline(found) == f"By the rules{'' if said[0] == 'n' else ','} {said}"


def test_the_smallest_change_and_the_wrong_verdicts_are_named() -> None:
    told = flips.least_and_wrong(changed("+-+", VALUES))
    assert told.startswith("With the other changes, 1 of 2 verdicts flips. ")
    assert "is *+ intensifier*, by 0.250 on average." in told
    assert told.endswith("3 of all 6 verdicts differ from the rules: they are outlined.")
    told = flips.least_and_wrong(changed("---", [[0.1, 0.9], [0.1, 0.1], [0.1, 0.1]]))
    assert "other changes" not in told
    assert told.endswith("1 of all 6 verdicts differs from the rules: it is outlined.")
    told = flips.least_and_wrong(changed("-++", [[0.1, 0.1], [0.9, 0.9], [0.9, 0.8]]))
    assert told.endswith("All 6 verdicts agree with the rules.")


def test_a_hall_sees_the_review_above_the_verdicts() -> None:
    for fills in (True, False):
        picture = arranged(build_sheet("/classification", Look(fills=fills)).sheet.parts).picture
        assert picture is not None
        assert ("the ending was not dull" in str(picture.panels[0].drawn)) == fills
