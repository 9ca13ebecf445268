"""Similarity of the typed sentence to a list of others, by the mean of a real model's states."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.similarity import similarities
from core.sources import PretrainedInfo
from core.sources.pretrained import BOTH_WAYS
from core.text.tokenizer import MAX_WORDS, readable, words_of
from core.unavailable import prefix_unavailable
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.look import Look
from pages.contract.parameters import SWITCHES
from pages.contract.prose import Typed, literal
from pages.contract.question import Choose
from pages.contract.question_builders import choose_largest
from pages.contract.real import real_button
from pages.contract.scene import Scene
from pages.contract.sheet import Column, Controls, Formula, Program, Sheet, Table, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.explorer.explored import LONG
from viz.layout.cells import NOISE
from words import two_decimals

SENTENCE = "The cat is sleeping on the sofa."
OTHERS = (
    "A kitten takes a nap on the couch.",
    "On the sofa sleeps the cat.",
    "The cat is not sleeping on the sofa.",
    "The sofa is sleeping on the cat.",
    "A dog is barking in the garden.",
    "She cooked dinner for her friends.",
    "Interest rates rose again last month.",
)
"""A paraphrase, reordered, negated and reversed sentences, then unrelated ones."""

UNRELATED = OTHERS[-3:]
"""Sentences unrelated to nearly any sentence."""

MOST = 12
"""Greatest number of sentences that are compared."""

MOST_QUOTED, WHOLE_SENTENCE = 160, 10_000
"""Quoted characters of the typed sentence, and of a sentence in the list, which is never cut."""

ONLY_REAL = "Models of the small language know too few words to compare sentences: choose *real* weights."
WHY_REAL = "MiniLM was trained to give sentences of the same meaning vectors of the same direction."
EMPTY = f"There is no sentence to compare with: type one of at most {MAX_WORDS} words."
HOW = (
    "The vector of a sentence is the mean of the states of its tokens after the last layer. The similarity "
    "of two sentences is the cosine of the angle between their vectors. Change a switch to see which part of "
    "the model the order depends on."
)
COSINE = (
    r"\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \lVert v \rVert}, \qquad "
    r"u = \frac{1}{n} \sum_{i=1}^{n} h_i"
)
DEFINED = "Reimers and Gurevych 2019, section 3. h are the states after the last layer"

AGAINST, LOAD = "against", "examples_known"
"""Spots of the list, and of the button for a real model, which looks as it does for unknown words."""

WIDE, NARROW = 300, 96
"""Width in pixels of the column with bars, and on a narrow page: the numbers stand right of them."""

EDGES = 14
"""Width in pixels of a table's borders and its handle."""


@view(
    question="Which sentence is the most similar?",
    sentence=SENTENCE,
    switches=SWITCHES - {"seed", "window"},
    pieces=LONG,
    both_ways=True,
)
def similarity(ask: Ask, scene: Scene) -> Sheet:
    """Show the sentences of the list, the most similar first; only a real model can compare them."""
    one = scene.switches.weights.pretrained
    if one is None:
        if (button := real_button(BOTH_WAYS)) is not None:
            with ask.at(LOAD):
                ask.add(button)
        return Sheet(
            headline=ONLY_REAL,
            parts=(Text(WHY_REAL), Controls(LOAD, "labels above")),
            questions=lambda: (static_question("two_orders_without_positions"),),
        )
    others, box = _ask_others(ask), Controls(AGAINST, "below each other")
    if not others:
        return Sheet(
            parts=(box, Text(EMPTY, "info")),
            questions=lambda: (static_question("two_orders_without_positions"),),
        )
    read = tuple(_pieces(one, text, at, scene.switches) for at, text in enumerate(others, 1))
    cosines = _similarities(scene.plain, read, scene.switches)
    own, sentence = set(scene.plain), readable(scene.text)
    shared = {other: len(own & set(tokens)) for other, tokens in zip(others, read, strict=True)}
    by_sentence = dict(zip(others, map(float, cosines), strict=True))
    nearest = nearest_sentence(f"{literal(one.title)}", sentence, by_sentence, shared)
    return Sheet(
        headline=describe_closest(others, cosines, one.title),
        parts=(box, _table(others, cosines, ask.look), Text(HOW), Formula(COSINE, DEFINED)),
        questions=lambda: (nearest, static_question("two_orders_without_positions")),
        program=lambda: Program.calling(
            "The cosine of the mean state of one sentence and of each other.",
            similarities,
            scene.subject.call,
            [replace(scene.subject, words=tuple(words)).call for words in read],
            prints="the cosines, in the order of the list",
        ),
    )


def _ask_others(ask: Ask) -> tuple[str, ...]:
    text = ask.parameters.spelling("text")
    default = usual(SENTENCE if text is None else readable(text))
    with ask.at(AGAINST):
        typed = ask.lines(
            AGAINST, default="\n".join(default), label="Sentences to compare it with, one per line"
        )
    lines = with_words(typed)
    if len(lines) > MOST:
        said = f"At most {MOST} sentences are compared: the first of your {len(lines)}."
        ask.note(Text(said, "warning"))
    return lines[:MOST]


def with_words(typed: str) -> tuple[str, ...]:
    """Return the typed lines, without empty ones and sentences with no words or too many."""
    lines = (line.strip() for line in readable(typed).splitlines())
    return tuple(line for line in lines if 0 < len(words_of(line)) <= MAX_WORDS)


def usual(text: str) -> tuple[str, ...]:
    """Return the list at first: the sentences about the cat belong to the sentence about the cat.

    Any other sentence is compared with its words reversed, its first half, and unrelated sentences.
    """
    if text == SENTENCE:
        return OTHERS
    words = text.split()
    half = words[: (len(words) + 1) // 2]
    own = dict.fromkeys(" ".join(part) for part in (words[::-1], half) if part != words)
    return (*own, *UNRELATED)


def _pieces(one: PretrainedInfo, text: str, at: int, switches: Architecture) -> tuple[str, ...]:
    """Return the pieces of a sentence of the list; raises UnavailableError with its number."""
    with prefix_unavailable(f"Sentence {at} of the list"):
        pieces = one.split(text).texts
        one.check_length(len(pieces), switches.config)
    return pieces


@cached_for_all()
def _similarities(
    words: tuple[str, ...], others: tuple[tuple[str, ...], ...], switches: Architecture
) -> Float[np.ndarray, "other"]:
    return similarities(loaded(words, switches), [loaded(other, switches) for other in others])


def _table(others: tuple[str, ...], cosines: Float[np.ndarray, "other"], look: Look) -> Table:
    table = pd.DataFrame({"sentence": others, "similarity": cosines})
    ordered = table.sort_values("similarity", ascending=False, kind="stable")
    title = "Similarity of sentences to the one typed"
    return Table("similarities", ordered, columns=columns_in(look), width="stretch", title=title)


def columns_in(look: Look) -> dict[str, Column]:
    """Return the formats of columns; a long sentence must not push the numbers out of a narrow page."""
    if not look.is_narrow:
        return {"similarity": Column("%.2f", "cosine similarity", is_bar=True, width=WIDE)}
    bars = Column("%.2f", "cosine", is_bar=True, width=NARROW)
    return {"sentence": Column(width=int(look.width) - NARROW - EDGES), "similarity": bars}


def describe_closest(others: tuple[str, ...], cosines: Float[np.ndarray, "other"], title: str) -> str:
    """Return a sentence that names the most similar one for the model with this title."""
    closest = int(cosines.argmax())
    name, cosine = f"*{Typed(others[closest])}*", two_decimals(cosines[closest])
    if len(others) == 1:
        return f"For {literal(title)}, the cosine with {name} is {cosine}."
    if np.sum(cosines > cosines[closest] - NOISE) > 1:
        return f"For {literal(title)}, no sentence is more similar than {name}, with a cosine of {cosine}."
    most = f"the most similar of {len(others)} sentences is {name}"
    return f"For {literal(title)}, {most}, with a cosine of {cosine}."


def nearest_sentence(
    model: str, sentence: str, cosines: Mapping[str, float], shared: Mapping[str, int]
) -> Choose | None:
    """Ask for the sentence with the largest cosine; `shared` counts the tokens shared with `sentence`."""
    if not cosines:
        return None
    best = max(cosines, key=cosines.__getitem__)
    fewer = "It shares fewer tokens with the sentence."
    return choose_largest(
        f"Which of these is the nearest to {_quoted(sentence, longest=MOST_QUOTED)} for {model}, by the "
        "cosine of the mean states?",
        {_quoted(other): cosine for other, cosine in cosines.items()},
        because=(
            f"Its cosine is {two_decimals(cosines[best])}. Similar vectors need not mean similar sentences."
        ),
        why_not={_quoted(other): fewer for other, n in shared.items() if n < shared[best]},
    )


def _quoted(sentence: str, *, longest: int = WHOLE_SENTENCE) -> str:
    """Quote a sentence. Answers are never cut, or two of them might look alike."""
    return f"*“{Typed(sentence):{longest}}”*"
