"""Contributions: what each word adds to the verdict of one model, by three measures."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.measures.classification.contributions import Contributions, contributions, leaders
from core.measures.classification.verdicts import title_of
from core.model.classifier import ClassifierConfig
from core.programs.classification import contributions_program
from core.sources.classifiers import load_classifier
from pages.classification.classifier import CLASSIFIER, Classifier
from pages.classification.measures_said import (
    ABLATION,
    ATTENTION,
    GRADIENT,
    agreement,
    caution,
    how,
    why_none,
)
from pages.classification.questions import Judged, does_a_large_weight_matter, hidden_word
from pages.classification.review import Review
from pages.classification.switches import OF_REVIEW
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.spreads import word_bars
from viz.text import counted
from viz.units import signed


@dataclass(frozen=True)
class Found:
    """A review, the classifier that judges it, and what every word contributes to the verdict."""

    review: Review
    config: ClassifierConfig
    contributions: Contributions

    @property
    def rows(self) -> dict[str, np.ndarray]:
        """The measures that the model has, by their names."""
        found = self.contributions
        rows = {ABLATION: found.ablation, GRADIENT: found.gradient}
        return rows if found.attention is None else {**rows, ATTENTION: found.attention}


def find(scene: Scene, choices: None) -> Found:
    """The contributions. Raises UnavailableError where the classifier is not there."""
    assert isinstance(scene.switches, Classifier), "the page chooses one"
    review, config = Review(scene.words), scene.switches.classifier
    return Found(review, config, _contributions(config, review.plain))


@remembered()
def _contributions(config: ClassifierConfig, words: tuple[str, ...]) -> Contributions:
    return contributions(load_classifier(config, words))


def sheet(found: Found, look: Look) -> Sheet:
    """Rows of bars, a word below each other in all of them, and how far the measures agree."""
    review, rows = found.review, found.rows
    title = f"Contribution of every word to the verdict, {title_of(found.config)}"
    explained = f"{caution(rows)} {how(found.contributions)}"
    return Sheet(
        answer=answer(review, found.contributions, title_of(found.config)),
        unknown=review.unknown,
        captions=captions(found.contributions),
        parts=(
            Shown("contributions", word_bars(rows, review.labels, title=title, theme=look.theme)),
            Text(f"{first_words(review, rows)} {review.by_rules()}".strip()),
            Text(agreement(rows)),
            Fold("What each measure is", (Text(explained),)),
        ),
    )


def captions(found: Contributions) -> tuple[str, str]:
    """The verdict, and the unit of what contributes to it."""
    verdict = f"Verdict: {side(found)}, log-odds of praise {signed(found.log_odds)}"
    return verdict, f"{ABLATION.capitalize()} and {GRADIENT} are in log-odds of praise"


def side(found: Contributions) -> str:
    """The verdict in a word."""
    return "praise" if found.log_odds >= 0 else "blame"


def answer(review: Review, found: Contributions, model: str) -> str:
    """The verdict of the model in log-odds, and the word that counts most by ablation."""
    most = leaders(found.ablation)
    if not most:
        counts = "no word counts"
    elif len(most) == 1:
        counts = f"the word that counts most is *{literal(review.plain[most[0]])}*"
    else:
        counts = f"{counted(len(most), 'word')} count most, and alike"
    odds = f"log-odds of praise of {signed(found.log_odds)}"
    return f"The verdict of the {model} is {side(found)}, with {odds}; by ablation {counts}."


def first_words(review: Review, rows: Mapping[str, np.ndarray]) -> str:
    """The word that each measure puts first, and why some put none."""
    first = {name: leaders(values) for name, values in rows.items()}
    named = "; ".join(f"by {name} {_first(review, at)}" for name, at in first.items() if at)
    without = [name for name, at in first.items() if not at]
    no_words = without == [ABLATION] and len(review.unknown) == len(review.plain)
    none = f"No word counts by {' or '.join(without)}: {why_none(are_unknown=no_words)}." if without else ""
    return " ".join(filter(None, (f"The word that counts most: {named}." if named else "", none)))


def _first(review: Review, at: tuple[int, ...]) -> str:
    """The word that a measure puts first; where several are level none is."""
    if len(at) > 1:
        return f"none alone, {len(at)} words are level"
    return f"**{literal(review.plain[at[0]])}**"


def questions(found: Found) -> tuple[Question | None, ...]:
    """The word whose hiding changes the verdict most, and whether a large weight tells it."""
    judged = Judged(
        title=f"The {title_of(found.config)}",
        review=found.review.plain,
        names=told_apart(found.review.plain),
        ablation=tuple(found.contributions.ablation.tolist()),
        attends=found.contributions.attention is not None,
    )
    return hidden_word(judged), does_a_large_weight_matter(judged)


def program(found: Found) -> Program:
    """The contributions."""
    config, words = found.config, found.review.plain
    return Program(lambda: contributions_program(config, words), "the contributions of every word")


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    switches=frozenset({CLASSIFIER}),
    question="Which words make the verdict?",
    **OF_REVIEW,
)
