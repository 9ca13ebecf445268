"""Probabilities: from a last state to a logit for every word, and by the softmax to probabilities."""

from dataclasses import dataclass

import pandas as pd

from core.measures.output_layer import WordLogits, largest, word_logits
from core.programs.probabilities import probabilities_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Controls, Formula, Notice, Numbers, Part, Remark, Sheet, Shown, Steps, Text
from pages.controls.examples import PRAISED
from pages.controls.memory import remembered
from pages.controls.prose import literal
from pages.controls.switches import NAMES, Architecture
from pages.explorer.expected import PLACE, Runs, answer, ask_position, predicted, reads_on, spelt
from pages.explorer.explored import LONG
from pages.explorer.prediction import NOTHING_LEARNED, why_not_predicted
from pages.explorer.probabilities_said import calculated, products, told_best, told_position
from pages.explorer.questions_of_logits import ratio_of_probabilities, same_added_to_all
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from viz.logits import softmax_of_logits
from viz.text import quoted

SHOWN, EXPECTED = 7, 4
"""How many words have bars, and how many are answers to choose from."""

SOFTMAX = (
    r"p = \text{softmax}(h\,W_\text{out}), \qquad p_w = \frac{e^{\,w \cdot h}}{\sum_{w'} e^{\,w' \cdot h}}"
)
WITH_BIAS = (
    r"p = \text{softmax}(h\,W_\text{out} + b), \qquad "
    r"p_w = \frac{e^{\,w \cdot h + b_w}}{\sum_{w'} e^{\,w' \cdot h + b_{w'}}}"
)
SOURCE = (
    "CS 224N note, section 3.5: a linear transformation to the output space, followed by a softmax, which is "
    "its eq 2. Column w of W is that of a word"
)


@dataclass(frozen=True)
class Found:
    """The logits at a position, None where the model predicts nothing: `why_not` says why."""

    scene: Scene
    at: int
    seen: WordLogits | None
    why_not: str = ""


def ask(ask: Ask, scene: Scene) -> int | None:
    """The position at which the model predicts; None where it predicts nothing."""
    return None if _why_not(scene) else ask_position(ask, scene)


def _why_not(scene: Scene) -> str:
    return why_not_predicted(scene) or ("" if scene.switches.weights.trained else NOTHING_LEARNED)


def find(scene: Scene, at: int | None) -> Found:
    """The state and the logits there."""
    if at is None:
        return Found(scene, 0, None, _why_not(scene))
    return Found(scene, at, _logits(scene.words, scene.switches, at))


@remembered()
def _logits(words: tuple[str, ...], switches: Architecture, at: int) -> WordLogits:
    return word_logits(loaded(words, switches), at, window=switches.window)


def sheet(found: Found, look: Look) -> Sheet:
    """The state, the logits and their probabilities from top to bottom, then the calculation of the best."""
    seen, scene = found.seen, found.scene
    if seen is None:
        return Sheet(notes=(Notice(found.why_not),))
    prediction = predicted(scene.words, scene.switches)
    names = [literal(spelt(scene, seen.vocabulary[number])) for number in seen.best]
    parts: tuple[Part, ...] = (
        Controls(PLACE),
        _bars(found, seen, look),
        Steps("softmax_steps", calculated(seen, [_in_latex(scene, seen, number) for number in seen.best])),
        Text(answer(scene, Runs(prediction, prediction), found.at)),
        Remark(told_position(reads_on=reads_on(scene), unit=scene.unit)),
        Formula(WITH_BIAS if seen.biases.any() else SOFTMAX, SOURCE),
        Numbers(
            "products", lambda: products(seen), title=f"The {len(seen.state)} products of the first logit"
        ),
    )
    return Sheet(answer=told_best(_place(found), names, seen), parts=parts)


def _in_latex(scene: Scene, seen: WordLogits, number: int) -> str:
    """A word of the vocabulary as a formula can name it: by its rank where it is more than plain letters."""
    word = spelt(scene, seen.vocabulary[number]).strip()
    rank = "1" if number == seen.best[0] else "2"
    return rf"\text{{{word}}}" if word.isascii() and word.isalpha() else rank


def _spot(found: Found) -> str:
    """The position within a title."""
    word = f"{quoted(str(found.scene.names[found.at]))} ({found.at + 1})"
    return f"after {word}" if reads_on(found.scene) else f"in place of {word}"


def _place(found: Found) -> str:
    word = f"*{found.scene.names[found.at]}* ({found.at + 1})"
    return f"after {word}" if reads_on(found.scene) else f"in place of {word}"


def _bars(found: Found, seen: WordLogits, look: Look) -> Shown:
    """The words with the largest logits, and the word that the sentence has there."""
    right = predicted(found.scene.words, found.scene.switches).answer(found.at)
    numbers = largest(seen.logits, SHOWN)
    if right is not None and right not in numbers:
        numbers.append(right)
    picture = softmax_of_logits(
        _table(found.scene, seen, numbers, right),
        seen.state,
        theme=look.theme,
        size=look.room(),
        title=f"Logits and probabilities {_spot(found)}",
        logit="logit w · h + b" if seen.biases.any() else "logit w · h",
        behind=lambda: _table(found.scene, seen, largest(seen.logits, len(seen.logits)), right),
    )
    return Shown("logits", picture)


def _table(scene: Scene, seen: WordLogits, numbers: list[int], right: int | None) -> pd.DataFrame:
    shares = seen.probabilities
    return pd.DataFrame(
        {
            "word": [spelt(scene, seen.vocabulary[number]) for number in numbers],
            "logit": seen.logits[numbers],
            "probability": shares[numbers],
            "answer": [number == right for number in numbers],
        }
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a difference of logits is worth, and what all of them may gain."""
    if found.seen is None:
        return ()
    first, second = (float(found.seen.logits[at]) for at in found.seen.best)
    return ratio_of_probabilities(first, second), same_added_to_all()


def program(found: Found) -> Program | None:
    """The logits and probabilities; None of a real model, for output layers differ between families."""
    scene = found.scene
    if found.seen is None or scene.switches.weights.pretrained is not None:
        return None
    return Program(
        lambda: probabilities_program(scene.subject, found.at), prints="the likeliest words with their logits"
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
    question="How does a state become a probability for every word?",
    sentence=PRAISED,
    switches=NAMES,
    own=True,
    pieces=LONG,
)
