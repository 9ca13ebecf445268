"""One review: the verdicts of all classifiers, the contribution of each word to one, and their accuracies."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from core.learning.tasks.sentences import WORD_DROPOUT
from core.measures.classification.reviews import (
    CLASSIFIERS,
    EVEN,
    ROUNDING,
    Contributions,
    contributions,
    leaders,
    place_of,
    title_of,
)
from core.programs import Call
from core.sources.trained import load_classifier
from core.text.language import UNKNOWN
from pages.classification.accuracies import (
    accuracies,
    accuracy_bars,
    how_measured,
    what_it_proves,
)
from pages.classification.classifier import (
    CLASSIFIER,
    Classifier,
    all_classifiers,
    available,
    missing,
    verdict,
)
from pages.classification.review import BLAME, DIFFERS, LABELS, OF_REVIEW, PRAISE, Review
from pages.contract.ask import Ask
from pages.contract.loading import measured
from pages.contract.prose import literal, set_off
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Columns,
    Fold,
    LinkValues,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
    chooses,
)
from pages.contract.static_questions import static_question
from pages.contract.view import view
from viz.probability_grids import PooledVerdicts
from viz.spreads import WordBars
from words import counted, part_of, probability, signed

REPLACEMENT, GRADIENT, ATTENTION = "replacement", "gradient × input", "attention weight"


Verdicts = Mapping[str, float]
"""The probability of praise by the title of each classifier."""

HOW_TO = (
    "Click a classifier to see what each word adds to its verdict. Click a word to replace it "
    f"by {literal(UNKNOWN)} for all of them."
)

CAUTION = (
    "A weight says how much of a word is read, and not what that does to the verdict (Jain and Wallace "
    "2019). Wiegreffe and Pinter (2019) say when a weight may still explain."
)


@view(switches=frozenset({CLASSIFIER}), **OF_REVIEW | {"sentence": DIFFERS})
def one_review(ask: Ask, scene: Scene) -> Sheet:
    """Show the verdict of every classifier beside the contribution of each word to one of them."""
    assert isinstance(scene.switches, Classifier), "the page chooses one"
    review, models, config = Review(scene.words), available(), scene.switches.classifier
    found, title = measured(contributions, load_classifier, config, review.plain), title_of(config)
    hidden = ask.word("hidden", review.words, label="Replace the word", unchosen="none", width=240)
    verdicts = {one: verdict(each, review.plain) for one, each in models.items()}
    without = None
    if hidden is not None:
        rest = (*review.plain[:hidden], UNKNOWN, *review.plain[hidden + 1 :])
        without = {one: verdict(each, rest) for one, each in models.items()}
    answer = (
        headline(review, title, verdicts, found)
        if hidden is None or without is None
        else without_word(review, title, verdicts, without, hidden)
    )
    word = "" if hidden is None else str(review.names[hidden])
    rates = accuracies(tuple(models.items()))
    said = f"{review.by_rules()}{mistaken(review.label, verdicts)}"
    return Sheet(
        headline=answer,
        notes=missing(),
        unknown=review.unknown,
        parts=(
            Columns(
                (
                    (
                        _verdicts(verdicts, without, review.label, word, typed=scene.text * ask.look.fills),
                        Text(f"{said} {HOW_TO}"),
                    ),
                    (
                        Text(f"**What each word adds** to the verdict of the {title}"),
                        _contributed(found, review, title),
                        Text(first_words(review, rows_of(found))),
                    ),
                ),
                (1, 1),
                alone=True,  # a lecture hall sees the verdicts: the contributions are a second point
            ),
            Fold(
                "What each measure is",
                (Text(f"{how(found)}{'' if found.attention is None else f' {CAUTION}'}"),),
            ),
            accuracy_bars(rates),
            Text(what_it_proves(rates)),
            Fold("How this was measured", (Text(how_measured()),)),
        ),
        questions=lambda: (
            static_question("hidden_word_of_a_review"),
            static_question("does_a_large_weight_matter") if found.attention is not None else None,
        ),
        program=lambda: Program.calling(
            "How much each word contributes to the log-odds of praise, by several measures.",
            contributions,
            Call(load_classifier, config, review.plain),
            prints="the contributions of every word",
        ),
    )


def _verdicts(
    verdicts: Verdicts, without: Verdicts | None, label: str | None, hidden: str, *, typed: str
) -> PicturePart:
    """Return all verdicts, and beside them those without a word; a click chooses a classifier.

    A lecture hall does not see the box of the review, so its picture has the text `typed`. It compares
    vectors: it leaves out a network with one vector alone, and outlines the wrong verdicts in place of the
    right ones.
    """
    places = {title: place_of(CLASSIFIERS[title]) for title in verdicts}
    n_ways = Counter(network for network, _ in places.values())
    if typed and max(n_ways.values(), default=0) > 1:
        places = {title: place for title, place in places.items() if n_ways[place[0]] > 1}
    texts = {"as typed": verdicts, **({f"without {hidden}": without} if without is not None else {})}
    picture = PooledVerdicts(
        verdicts={
            text: {place: found[title] for title, place in places.items()} for text, found in texts.items()
        },
        title=f"Probability of praise{typed and f': “{typed}”'}",
        outlined=None
        if label is None
        else [
            place for title, place in places.items() if (title in wrong_in(verdicts, label)) == bool(typed)
        ],
        outlined_as="wrong" if typed else "right",
    )

    def choose(points: Sequence[Point], link: LinkValues) -> Changes:
        at = picture.networks[int(points[-1]["y"])], picture.ways[int(points[-1]["x"])]
        chosen = [title for title, place in places.items() if place == at]
        return {CLASSIFIER: chosen[0]} if chosen else {}

    replaced = f"{UNKNOWN} in place of “{hidden}”"
    caption = Caption(models=all_classifiers, notes=(replaced,) * bool(hidden))
    return PicturePart("review_verdicts", picture, on_click=choose, caption=caption)


def wrong_in(verdicts: Verdicts, label: str) -> list[str]:
    """Return the classifiers whose verdict differs from the rules."""
    return [title for title, value in verdicts.items() if side(value, EVEN) != LABELS[label]]


def rows_of(found: Contributions) -> dict[str, np.ndarray]:
    """Return the measures that the model has, by their names."""
    rows = {REPLACEMENT: found.ablation, GRADIENT: found.gradient}
    return rows if found.attention is None else {**rows, ATTENTION: found.attention}


def _contributed(found: Contributions, review: Review, title: str) -> PicturePart:
    """Return each word's contribution to the verdict of one classifier; a click hides the word."""
    picture = WordBars(
        measures=rows_of(found), words=review.labels, title=f"Contribution of each word, {title}"
    )
    return PicturePart(
        "contributions",
        picture,
        on_click=chooses("hidden"),
        caption=Caption(
            notes=(
                f"predicted: {side(found.log_odds)}, log-odds of praise {signed(found.log_odds)}",
                f"{REPLACEMENT} and {GRADIENT} in log-odds of praise",
            )
        ),
    )


def side(value: float, even: float = 0.0) -> str:
    """Return a verdict as a word; `even` is where it turns: 0 for log-odds, one half for a probability."""
    return PRAISE if value >= even else BLAME


def headline(review: Review, title: str, verdicts: Verdicts, found: Contributions) -> str:
    """Return the label by the rules, how many verdicts agree, and the verdict of the chosen classifier."""
    n, label = len(verdicts), None if review.label is None else LABELS[review.label]
    n_alike = sum(side(value, EVEN) == (label or PRAISE) for value in verdicts.values())
    if label is None:
        calls = f"{part_of(n_alike, n, 'classifier')} call{'s' * (n_alike == 1)} it praise."
        calls = f"{calls[0].upper()}{calls[1:]}"
    else:
        calls = (
            f"By the rules this is {label}, and {part_of(n_alike, n, 'classifier')} "
            f"agree{'s' * (n_alike == 1)}."
        )
    most, unknown = leaders(found.ablation), literal(UNKNOWN)
    if len(most) == 1:
        replaced = f"replacing {set_off(review.names[most[0]])} by {unknown} changes its log-odds most"
    elif most:
        replaced = (
            f"replacing each of {counted(len(most), 'word')} by {unknown} changes its log-odds most, and "
            "equally"
        )
    else:
        replaced = f"replacing a word by {unknown} changes nothing"
    return f"{calls} The {title} calls it {side(found.log_odds)}: {replaced}."


def without_word(review: Review, title: str, before: Verdicts, after: Verdicts, hidden: int) -> str:
    """Return how a word's replacement changes the verdict of the classifier, and how many verdicts turn."""
    turned = sum((before[one] >= EVEN) != (after[one] >= EVEN) for one in before)
    word, n = set_off(review.names[hidden]), counted(len(before), "verdict")
    first, then = (probability(of[title]) for of in (before, after))
    return (
        f"Without {word} the {title} calls it {side(after[title], EVEN)}: p(praise) is {then}. With {word} "
        f"it is {first}. {turned} of {n} flip{'s' * (turned == 1)}."
    )


def mistaken(label: str | None, verdicts: Verdicts) -> str:
    """Return the classifiers whose verdict differs from the rules; nothing if these give no label."""
    if label is None:
        return ""
    wrong = wrong_in(verdicts, label)
    return f" Wrong: {', '.join(wrong)}." if wrong else " All classifiers are right."


def first_words(review: Review, rows: Mapping[str, np.ndarray]) -> str:
    """Return the word that each measure puts first, and why some put none."""
    first = {name: leaders(values) for name, values in rows.items()}

    def word(at: Sequence[int]) -> str:
        return (
            set_off(review.names[at[0]], style="**")
            if len(at) == 1
            else f"no single word: {len(at)} words are equal"
        )

    named = "; ".join(f"by {name} {word(at)}" for name, at in first.items() if at)
    told = f"The word that counts most: {named}." if named else ""
    lacking = [name for name, at in first.items() if not at]
    if not lacking:
        return told
    why = f"all contributions are less than {ROUNDING:.5f}, which is rounding"
    if lacking == [REPLACEMENT] and len(review.unknown) == len(review.plain):
        why = f"the model reads each one as {literal(UNKNOWN)}, so replacing it changes nothing"
    return f"{told} No word counts by {' or '.join(lacking)}: {why}.".strip()


def how(found: Contributions) -> str:
    """Return the meaning of each measure."""
    attention = (
        " *Attention weight*: the weight that the word gets, averaged over all heads and queries of its "
        "only layer. It has no sign."
        if found.attention is not None
        else " This network has no attention, so there are two measures."
    )
    unknown, one_in = literal(UNKNOWN), round(1 / WORD_DROPOUT)
    return (
        "Up is for praise, down for blame, and each row has its own scale. *Replacement*: the fall of the "
        f"log-odds of praise if {unknown} replaces the word. In training it replaced one word in {one_in}. "
        f"*Gradient × input*: the slope of the log-odds along the word's vector.{attention}"
    )
