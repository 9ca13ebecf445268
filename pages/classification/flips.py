"""Flips: a negation, an intensifier and a contrast added to the review or removed, for every model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.measures.classification.flips import Flip
from core.measures.classification.flips import flips as changes_of
from core.measures.classification.reviews import EVEN, training_had
from core.programs import render_program
from pages.classification.classifier import all_classifiers, available, missing, verdict
from pages.classification.review import LABELS, OF_REVIEW, Review, quoted, unseen
from pages.contract.ask import Ask
from pages.contract.prose import literal
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from viz.probability_grids import FlipGrid
from words import counted, enumerated, part_of, probability

EXCHANGED = "exchanged"
NOTHING_TO_CHANGE = "There is no word of opinion in this text: type a review, such as one of the examples."
TITLE = "Probability of praise after every change of the review"

WEIGHTS = (5.0, 4.0)


@dataclass(frozen=True)
class ReviewChanges:
    """The typed review and every change of it, with the probability of praise by every classifier."""

    made: tuple[Flip, ...]
    models: tuple[str, ...]
    values: Float[np.ndarray, "text model"]

    @property
    def turned(self) -> Bool[np.ndarray, "change model"]:
        """Return whether a verdict differs from the one on the typed text, which has no row."""
        return (self.values[1:] >= EVEN) != (self.values[0] >= EVEN)

    @property
    def turning(self) -> Bool[np.ndarray, "change"]:
        """Return whether a change turns the label by the rules."""
        first, *others = self.made
        return np.array([one.label != first.label for one in others], dtype=bool)

    @property
    def wrong(self) -> list[tuple[int, int]]:
        """Return text and model of every verdict that is not the label by the rules."""
        praised = np.array([one.label == "positive" for one in self.made])
        return [(int(i), int(j)) for i, j in np.argwhere((self.values >= EVEN) != praised[:, None])]


@view(question="Which small change flips the verdict?", **OF_REVIEW)
def flips(ask: Ask, scene: Scene) -> Sheet:
    """Show a row for each change of the review, a column for each classifier; the texts beside them."""
    review, models = Review(scene.words), available()
    made, notes = changes_of(review.plain), missing()
    if not made:
        return Sheet(parts=(Text(NOTHING_TO_CHANGE, "info"),), notes=notes, unknown=review.unknown)
    values = [[verdict(config, one.words) for config in models.values()] for one in made]
    found = ReviewChanges(made, tuple(models), np.array(values))
    texts = "\n".join(f"- *{one.what}*: {_text(one)}" for one in made)
    picture = _picture(found)
    return Sheet(
        headline=headline(found),
        notes=notes,
        unknown=review.unknown,
        caption=Caption(models=all_classifiers),
        parts=(Columns(((picture,), (Text(texts), Text(least_and_wrong(found)))), WEIGHTS),),
        questions=lambda: (last_opinion(found),),
        program=lambda: Program(
            lambda: render_program(
                "reviews",
                "The probability of praise by every classifier: a column for each review.",
                reviews=[list(one.words) for one in made],
            ),
            "these probabilities, a column for each text",
        ),
    )


def _picture(found: ReviewChanges) -> PicturePart:
    made = found.made
    beside: Mapping[str, Sequence[object]] = {
        "review": [" ".join(one.words) for one in made],
        "training had its kind": [training_had(one.words) for one in made],
        "by the rules": [LABELS.get(one.label or "", "") for one in made],
    }
    picture = FlipGrid(
        values=found.values,
        texts=[one.what for one in made],
        models=found.models,
        title=TITLE,
        short="Probability of praise",
        wrong=found.wrong,
        beside=beside,
    )
    return PicturePart("flips", picture)


def _text(one: Flip) -> str:
    """Return a text with its label by the rules, and a mark if training had no text of its kind."""
    words = " ".join(map(literal, one.words))
    return (f"{words} → {LABELS[one.label]}" if one.label else words) + unseen(one.words)


def headline(found: ReviewChanges) -> str:
    """Return how many verdicts flip with the changes that flip the label by the rules."""
    turning = [one.what for one, turns in zip(found.made[1:], found.turning, strict=True) if turns]
    if not turning:
        none = "By the rules no change flips the label"
        joined = "but" if found.turned.any() else "and"
        return f"{none}, {joined} {_share_of(found.turned)} {_flip(found.turned)}."
    turned, named = found.turned[found.turning], enumerated([f"*{what}*" for what in turning])
    flip = "flips" if len(turning) == 1 else "flip"
    return f"By the rules, {named} {flip} the label. Then {_share_of(turned)} {_flip(turned)}."


def least_and_wrong(found: ReviewChanges) -> str:
    """Return the effects of the other changes, the smallest of them, and the number of wrong verdicts."""
    turned, turning = found.turned, found.turning
    moved = np.abs(found.values[1:] - found.values[0]).mean(axis=1)
    least, n_wrong, n = int(moved.argmin()), len(found.wrong), found.values.size
    others = ""
    if turning.any() and not turning.all():
        others = f"With the other changes, {_share_of(turned[~turning])} {_flip(turned[~turning])}. "
    differ = "differs from the rules: it is" if n_wrong == 1 else "differ from the rules: they are"
    wrong = f"{n_wrong} of all {counted(n, 'verdict')} {differ} outlined."
    return (
        f"{others}The change that moves the probabilities least is *{found.made[least + 1].what}*, by "
        f"{probability(moved[least])} on average. "
        f"{wrong if n_wrong else f'All {n} verdicts agree with the rules.'}"
    )


def _share_of(turned: np.ndarray) -> str:
    return part_of(int(np.sum(turned)), int(np.size(turned)), "verdict")


def _flip(turned: np.ndarray) -> str:
    return "flips" if turned.sum() == 1 else "flip"


def last_opinion(found: ReviewChanges) -> Choose | None:
    """Ask for the label of a review whose clauses change places; None if that leaves the label as it is."""
    first, by_name = found.made[0], {one.what: one for one in found.made}
    other = by_name.get(EXCHANGED)
    if other is None or other.label == first.label:
        return None
    return choose(
        f"In {quoted(first.words)} the last opinion decides. Its clauses change places. What is the review "
        "then?",
        *(
            Option(
                LABELS[label],
                label == other.label,
                "That is the opinion of the clause that then comes first." * (label != other.label),
            )
            for label in LABELS
        ),
        because=f"It now ends with the opinion that came first: {quoted(other.words)}.",
    )
