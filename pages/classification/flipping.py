"""Flips: a negation, an intensifier and a contrast put into the review or taken out, for every model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.measures.classification.flips import Flip, flips
from core.measures.classification.kinds import training_had
from core.measures.classification.verdicts import EVEN
from core.programs.classification import verdicts_program
from pages.classification.classifier import absent_classifiers, available, missing
from pages.classification.one_review import verdict
from pages.classification.questions import turning_change
from pages.classification.review import LABELS, Review, unseen
from pages.classification.switches import OF_REVIEW
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Notice, Sheet, Shown, Text
from pages.controls.prose import literal
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.flips import flip_grid
from viz.text import counted
from viz.units import probability

NOTHING_TO_CHANGE = "There is no word of opinion in this text: type a review, such as one of the examples."
TITLE = "Probability of praise after every change of the review"
WIDTH = 640
ABOVE = 300
"""Pixels of page above the grid in a low window."""

WEIGHTS = (5.0, 4.0)


@dataclass(frozen=True)
class Found:
    """The review and every change of it, and the probability of praise by every classifier.

    There are no changes of a text without a word of opinion. `absent` says which models are not there.
    """

    review: Review
    made: tuple[Flip, ...]
    models: tuple[str, ...]
    values: Float[np.ndarray, "text model"]
    absent: str = ""

    @property
    def turned(self) -> Bool[np.ndarray, "change model"]:
        """Whether a verdict is another than that on the text as typed, which has no row."""
        return (self.values[1:] >= EVEN) != (self.values[0] >= EVEN)

    @property
    def turning(self) -> Bool[np.ndarray, "change"]:
        """Whether a change turns the label by the rules."""
        first, *others = self.made
        return np.array([one.label != first.label for one in others], dtype=bool)

    @property
    def wrong(self) -> list[tuple[int, int]]:
        """Text and model of every verdict that is not the label by the rules."""
        praised = np.array([one.label == "positive" for one in self.made])
        cells = np.argwhere((self.values >= EVEN) != praised[:, None])
        return [(int(text), int(model)) for text, model in cells]


def find(scene: Scene, choices: None) -> Found:
    """Every change that the review has room for, read by all classifiers that are there."""
    review, models = Review(scene.words), available()
    made = flips(review.plain)
    values = [[verdict(config, one.words) for config in models.values()] for one in made]
    return Found(review, made, tuple(models), np.array(values), absent_classifiers())


def sheet(found: Found, look: Look) -> Sheet:
    """A row for each change of the review, a column for each classifier; the texts beside them."""
    notes, unknown = missing(found.absent), found.review.unknown
    if not found.made:
        return Sheet(parts=(Notice(NOTHING_TO_CHANGE),), notes=notes, unknown=unknown)
    picture = _picture(found, look.columns(WEIGHTS)[0])
    texts = "\n".join(f"- *{one.what}*: {_text(one)}" for one in found.made)
    return Sheet(
        answer=answer(found),
        notes=notes,
        unknown=unknown,
        parts=(Columns(((picture,), (Text(texts), Text(told(found)))), WEIGHTS),),
    )


def _picture(found: Found, look: Look) -> Shown:
    made = found.made
    picture = flip_grid(
        found.values,
        [one.what for one in made],
        found.models,
        title=TITLE,
        short="Probability of praise",
        wrong=found.wrong,
        theme=look.theme,
        size=look.room(WIDTH),
        tallest=look.tallest(ABOVE),
        beside={
            "review": [" ".join(one.words) for one in made],
            "training had its kind": [training_had(one.words) for one in made],
            "by the rules": [LABELS.get(one.label or "", "") for one in made],
        },
    )
    return Shown("flips", picture)


def _text(one: Flip) -> str:
    """The words of a text, its label by the rules, and a mark if training had no text of its kind."""
    words = " ".join(map(literal, one.words))
    return (f"{words} → {LABELS[one.label]}" if one.label else words) + unseen(one.words)


def answer(found: Found) -> str:
    """A sentence on the changes that ought to turn the label, and how many verdicts turn with it."""
    turning, n = found.turning, len(found.turning)
    turns = f"{turning.sum()} of {counted(n, 'change')} turn{'s' * (int(turning.sum()) == 1)} the label round"
    if not turning.any():
        return f"By the rules {turns}, and {_share_of(found.turned)} {_turn(found.turned)} all the same."
    turned, they = found.turned[turning], "it" if turning.sum() == 1 else "them"
    return f"By the rules {turns}: {_share_of(turned)} {_turn(turned)} with {they}."


def told(found: Found) -> str:
    """What the other changes do, and the change that does least."""
    turned, turning = found.turned, found.turning
    moved = np.abs(found.values[1:] - found.values[0]).mean(axis=1)
    least = int(moved.argmin())
    some = turning.any() and not turning.all()
    return (
        f"{f'The other changes turn {_share_of(turned[~turning])} round. ' if some else ''}"
        f"The change that moves the probabilities least is *{found.made[least + 1].what}*, by "
        f"{probability(moved[least])} on average: it turns {_share_of(turned[least])} round. "
        f"{_mistaken(found.values.size, len(found.wrong))}"
    )


def _mistaken(n: int, n_wrong: int) -> str:
    """How many of the verdicts are not those of the rules."""
    if not n_wrong:
        return f"All {n} verdicts are those of the rules."
    are = "is not that of the rules: it is" if n_wrong == 1 else "are not those of the rules: they are"
    return f"Of all {n} verdicts {n_wrong} {are} outlined."


def _share_of(turned: Sequence[bool] | np.ndarray) -> str:
    return f"{np.sum(turned)} of {counted(np.size(turned), 'verdict')}"


def _turn(turned: np.ndarray) -> str:
    return "turns" if turned.sum() == 1 else "turn"


def questions(found: Found) -> tuple[Question | None, ...]:
    """The change that turns most verdicts."""
    if not found.made:
        return ()
    names = [one.what for one in found.made[1:]]
    turned = dict(zip(names, found.turned.sum(axis=1).tolist(), strict=True))
    idle = [what for what, turns in zip(names, found.turning, strict=True) if not turns]
    return (turning_change(found.review.plain, turned, len(found.models), idle),)


def program(found: Found) -> Program | None:
    """A program for the grid; None where nothing was changed."""
    if not found.made:
        return None
    texts = [one.words for one in found.made]
    return Program(lambda: verdicts_program(texts), "these probabilities, a column for each text")


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    question="Which small change turns the verdict round?",
    **OF_REVIEW,
)
