"""One review: the verdicts of all classifiers, what each word adds to one, and how often they are right."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.learning.evaluation.classification import AMONG, KINDS, QUESTIONS, SEEN
from core.learning.tasks.classification import AROUND
from core.learning.tasks.sentences import WORD_DROPOUT
from core.measures.classification import reviews as baselines
from core.measures.classification.reviews import (
    EVEN,
    LAST_OPINION,
    ROUNDING,
    Contributions,
    Share,
    contributions,
    leaders,
    title_of,
)
from core.model.classifier import ClassifierConfig
from core.programs import Call, calling
from core.sources.classifiers import load_classifier, record_of_classifier
from core.text.language import UNKNOWN
from core.text.language.review_parts import HELD_OUT, NEVER_NEGATED
from core.words import counted, enumerated, per_cent, probability, signed
from pages.classification.classifier import (
    CLASSIFIER,
    Classifier,
    absent_classifiers,
    available,
    missing,
    verdict,
)
from pages.classification.review import BLAME, DIFFERS, LABELS, OF_REVIEW, PRAISE, Review, quoted
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.memory import remembered
from pages.contract.predict import choose, choose_largest, told_apart
from pages.contract.program import Program
from pages.contract.prose import literal
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Sheet, Shown, Text
from pages.contract.view import view
from viz.flips import flip_grid
from viz.spreads import word_bars

ABLATION, GRADIENT, ATTENTION = "ablation", "gradient × input", "attention weight"
WIDTH = 460
KIND_NAMES = {
    SEEN: "kinds seen",
    AMONG: "in long texts",
    "although + negation": "although, not",
    "but + intensifier": "but, very",
    "adjective never negated": "not + new",
}
"""Short names of the kinds of reviews: what training had, alone and in long texts, and what it lacked."""

LACKED = tuple(KIND_NAMES[kind] for kind in HELD_OUT)

Verdicts = Mapping[str, float]
"""The probability of praise by the title of each classifier."""

HOW_TO = (
    "Click a classifier to see what each word adds to its verdict. Click a word to hide it from all of them."
)
CAUTION = (
    "Attention is not explanation: a weight says what is read, not what it does to the verdict (Jain and "
    "Wallace 2019; Wiegreffe and Pinter 2019 on when it may serve as one)."
)


@view(switches=frozenset({CLASSIFIER}), **OF_REVIEW | {"sentence": DIFFERS})
def one_review(ask: Ask, scene: Scene) -> Sheet:
    """Show the verdict of every classifier beside what each word adds to one of them."""
    assert isinstance(scene.switches, Classifier), "the page chooses one"
    review, models, config = Review(scene.words), available(), scene.switches.classifier
    found, title = _contributions(config, review.plain), title_of(config)
    hidden = ask.word("hidden", review.words, unchosen="none", width=240)
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
    left, right = ask.look.columns((1, 1))
    word = "" if hidden is None else review.plain[hidden]
    rates = _accuracies(tuple(models.items()))
    said = f"{review.by_rules()}{mistaken(review.label, verdicts)}"
    return Sheet(
        answer=answer,
        notes=missing(absent_classifiers()),
        unknown=review.unknown,
        captions=(
            f"Verdict of the {title}: {side(found.log_odds)}, log-odds of praise {signed(found.log_odds)}",
            f"{ABLATION.capitalize()} and {GRADIENT} are in log-odds of praise",
        ),
        parts=(
            Columns(
                (
                    (_verdicts(verdicts, without, review.label, word, left), Text(f"{said} {HOW_TO}")),
                    (
                        Text(f"**What each word adds** to the verdict of the {title}"),
                        _contributed(found, review, title, right),
                        Text(first_words(review, rows_of(found))),
                    ),
                ),
                (1, 1),
            ),
            Fold(
                "What each measure is",
                (Text(f"{how(found)}{'' if found.attention is None else f' {CAUTION}'}"),),
            ),
            _accuracy(rates, ask.look),
            Text(what_it_proves(rates)),
            Fold("How this was measured", (Text(how_measured()),)),
        ),
        questions=lambda: (
            hidden_word(title, review, found.ablation.tolist()),
            does_a_large_weight_matter() if found.attention is not None else None,
        ),
        program=lambda: Program(
            lambda: calling(
                "How much each word contributes to the log-odds of praise, by several measures.",
                contributions,
                Call(load_classifier, config, review.plain),
            ),
            "the contributions of every word",
        ),
    )


@remembered()
def _contributions(config: ClassifierConfig, words: tuple[str, ...]) -> Contributions:
    return contributions(load_classifier(config, words))


@remembered()
def _accuracies(models: tuple[tuple[str, ClassifierConfig], ...]) -> pd.DataFrame:
    """Return accuracies by kind, a row for every classifier and one for reading the last opinion alone."""
    rows = {title: record_of_classifier(config).accuracies for title, config in models}
    one_word = {kind: share.value for kind, share in baselines.shares(baselines.BY_LAST_OPINION).items()}
    return pd.DataFrame({**rows, LAST_OPINION: one_word}).T[list(KINDS)].rename(columns=KIND_NAMES)


def _verdicts(
    verdicts: Verdicts, without: Verdicts | None, label: str | None, hidden: str, look: Look
) -> Shown:
    """Return the verdict of every classifier, and below it that without a word; a click chooses a model."""
    titles, texts = list(verdicts), ["as typed", *([f"without {hidden}"] if hidden else [])]
    values = np.array([list(one.values()) for one in (verdicts, without) if one is not None])
    picture = flip_grid(
        values,
        texts,
        titles,
        title="Probability of praise",
        short="Probability of praise",
        wrong=None if label is None else wrong_at(verdicts, label),
        theme=look.theme,
        size=look.room(),
    )
    return Shown(
        "review_verdicts", picture, on_click=lambda points, link: {CLASSIFIER: titles[int(points[-1]["x"])]}
    )


def wrong_at(verdicts: Verdicts, label: str) -> list[tuple[int, int]]:
    """Return row and column of the verdicts on the review that are not its label by the rules."""
    return [(0, at) for at, value in enumerate(verdicts.values()) if side(value, EVEN) != LABELS[label]]


def rows_of(found: Contributions) -> dict[str, np.ndarray]:
    """Return the measures that the model has, by their names."""
    rows = {ABLATION: found.ablation, GRADIENT: found.gradient}
    return rows if found.attention is None else {**rows, ATTENTION: found.attention}


def _contributed(found: Contributions, review: Review, title: str, look: Look) -> Shown:
    """Return what each word adds to the verdict of one classifier; a click hides the word."""
    picture = word_bars(
        rows_of(found), review.labels, title=f"Contribution of each word, {title}", theme=look.theme
    )
    return Shown("contributions", picture, on_click=lambda points, link: {"hidden": int(points[-1]["x"]) + 1})


def _accuracy(rates: pd.DataFrame, look: Look) -> Shown:
    """Return the accuracy of every classifier on every kind of review."""
    title = "Accuracy on unseen reviews"
    picture = flip_grid(
        rates.to_numpy().T,
        list(rates.columns),
        list(rates.index),
        title=title,
        short="Accuracy",
        theme=look.theme,
        size=look.room(WIDTH),
        rows="kind",
    )
    return Shown("review_accuracies", picture)


def side(value: float, even: float = 0.0) -> str:
    """Return a verdict in a word; `even` is where it turns: 0 of log-odds, one half of a probability."""
    return PRAISE if value >= even else BLAME


def headline(review: Review, title: str, verdicts: Verdicts, found: Contributions) -> str:
    """Return how many verdicts are praise, and the verdict of the chosen classifier with its first word."""
    praise, n = sum(value >= EVEN for value in verdicts.values()), len(verdicts)
    calls = f"{praise} of {counted(n, 'classifier')} call{'s' * (praise == 1)} it praise."
    most = leaders(found.ablation)
    if len(most) == 1:
        counts = f"*{literal(review.plain[most[0]])}* counts most"
    else:
        counts = f"{counted(len(most), 'word')} count most, and alike" if most else "no word counts"
    return f"{calls} The {title} calls it {side(found.log_odds)}; by ablation {counts}."


def without_word(review: Review, title: str, before: Verdicts, after: Verdicts, hidden: int) -> str:
    """Return what hiding a word does to the verdict of the chosen classifier, and how many verdicts turn."""
    turned = sum((before[one] >= EVEN) != (after[one] >= EVEN) for one in before)
    word, n = literal(review.plain[hidden]), counted(len(before), "verdict")
    first, then = (probability(of[title]) for of in (before, after))
    return (
        f"Without *{word}* the {title} calls it {side(after[title], EVEN)}: p(praise) is {then}, with it "
        f"{first}. {turned} of {n} turn{'s' * (turned == 1)}."
    )


def mistaken(label: str | None, verdicts: Verdicts) -> str:
    """Return the classifiers whose verdict is not that of the rules; nothing if these give no label."""
    if label is None:
        return ""
    wrong = [title for title, value in verdicts.items() if side(value, EVEN) != LABELS[label]]
    return f" Wrong: {', '.join(wrong)}." if wrong else " All classifiers are right."


def first_words(review: Review, rows: Mapping[str, np.ndarray]) -> str:
    """Return the word that each measure puts first, and why some put none."""
    first = {name: leaders(values) for name, values in rows.items()}

    def word(at: Sequence[int]) -> str:
        return (
            f"**{literal(review.plain[at[0]])}**"
            if len(at) == 1
            else f"none alone, {len(at)} words are level"
        )

    named = "; ".join(f"by {name} {word(at)}" for name, at in first.items() if at)
    told = f"The word that counts most: {named}." if named else ""
    lacking = [name for name, at in first.items() if not at]
    if not lacking:
        return told
    why = f"all contributions are less than {ROUNDING:.5f}, which is rounding"
    if lacking == [ABLATION] and len(review.unknown) == len(review.plain):
        why = f"the model reads each one as {literal(UNKNOWN)}, so that replacing it changes nothing"
    return f"{told} No word counts by {' or '.join(lacking)}: {why}.".strip()


def how(found: Contributions) -> str:
    """Return what each measure is."""
    attention = (
        " *Attention weight*: the weight that the word gets, averaged over all heads and queries of the one "
        "layer. Weights have no sign."
        if found.attention is not None
        else " This network has no attention, so there are two measures."
    )
    unknown, one_in = literal(UNKNOWN), round(1 / WORD_DROPOUT)
    return (
        "Up is for praise, down for blame, and each row has its own scale. *Ablation*: by how much the "
        f"log-odds of praise fall when the word is replaced by {unknown}, which training has shown in place "
        f"of one word in {one_in}. *Gradient × input*: the slope of the log-odds along the word's vector, "
        f"which is all there is to say of a linear model.{attention}"
    )


def what_it_proves(rates: pd.DataFrame) -> str:
    """Return what the baseline is, and the lowest accuracy on what was held out."""
    models, one_word = rates.drop(index=LAST_OPINION), rates.loc[LAST_OPINION]
    title, kind = models[list(LACKED)].stack().idxmin()
    lacked = enumerated([f"*{one}*" for one in LACKED])
    enough = [f"*{one}*" for one in LACKED if one_word[one] == 1]
    proof = (
        f" On {' and '.join(enough)} that word is enough, so a right answer proves little." if enough else ""
    )
    return (
        f"Training had none of these reviews, and none of the kinds {lacked}. *Last opinion* is a baseline "
        f"that reads the last word of opinion and nothing else.{proof} Lowest on the kinds that training "
        f"lacked: {title} on *{kind}*, {per_cent(float(models.loc[title, kind]))}."
    )


def how_measured() -> str:
    """Return what was held out, what accuracies are measured on, and what reading nothing gets."""
    majority = baselines.shares(baselines.MAJORITY).values()
    ends = dict.fromkeys(per_cent(of(one.value for one in majority)) for of in (min, max))
    adjectives = ", ".join(f"*{word}*" for word in sorted(NEVER_NEGATED))
    _, among, although, but, new = (f"*{name}*" for name in KIND_NAMES.values())
    near = near_to_training(baselines.shares(baselines.NEAR_TO_TRAINING))
    return (
        f"{QUESTIONS} distinct test reviews of each kind, {among} among {AROUND} sentences without an "
        "opinion, as in training, the others alone. Training has negation, intensifiers and contrasts, but "
        f"never *although* with a negation in the last clause ({although}), *but* with an intensifier after "
        f"it ({but}), or a negation of the adjectives {adjectives} ({new}). The majority-class baseline gets "
        f"{' to '.join(ends)}. {near} The Transformer has one layer and averages its states. Other "
        "vocabulary words never occurred in training."
    )


def near_to_training(near: Mapping[str, Share]) -> str:
    """Return how many reviews of each kind differ from one of training in one word."""
    counts = {kind: round(share.value * QUESTIONS) for kind, share in near.items() if kind != AMONG}
    listed = ", ".join(f"{n or 'none'} of *{KIND_NAMES[kind]}*" for kind, n in counts.items())
    return f"Reviews that differ from one of training in one word: {listed}."


def hidden_word(title: str, review: Review, ablation: Sequence[float]) -> Choose | None:
    """Ask for the word that changes the verdict most when it is hidden."""
    names, largest = told_apart(review.plain), max(ablation, key=abs, default=0.0)
    return choose_largest(
        f"The {title} reads {quoted(review.plain)}. Which word, hidden alone, changes the log-odds of praise "
        "most?",
        {f"*{name}*": abs(value) for name, value in zip(names, ablation, strict=True)},
        because=f"Its contribution to the log-odds of praise is {signed(largest)}.",
    )


def does_a_large_weight_matter() -> Choose | None:
    """Ask if the word that gets the largest weight is the one that matters."""
    return choose(
        "A word gets the largest attention weight. Does this mean that it matters most for the verdict?",
        Option("not by itself", True),
        Option(
            "yes",
            False,
            "A weight says how much of a word is read. What that does to the verdict depends on the "
            "value of the word and on all that comes after.",
        ),
        Option(
            "yes, if the weight is above 50 %",
            False,
            "However large it is, a weight says what is read and not what it does.",
        ),
        because="Hide a word to measure what it does.",
    )
