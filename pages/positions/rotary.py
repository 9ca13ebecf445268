"""Rotary positions: a query and a key rotate with their positions, and their score depends on distance."""

import math

from core.measures.positions.schemes import UnrotatedPair, radians_per_word, unrotated_pair
from pages.contract.ask import Ask
from pages.contract.examples import OVEN
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_near, unique_labels
from pages.contract.scene import subject
from pages.contract.sheet import Caption, Controls, PicturePart, Program
from pages.positions.any_scheme import OF_THE_WEIGHTS, SchemeAdditions, SchemeEffect, SchemeViewOptions
from viz.rotary_pairs import RotaryPairs
from viz.tables import word_label
from words import counted, distance, two_decimals

FEW_PAIRS = 8
"""Greatest number of circles that can carry the unit "degrees per word"."""

USUAL = 3
"""Positions by which both words move in the question, if they have not been moved."""

SAME, SHOWN = 1e-4, 0.01
"""Difference up to which two scores of a model are equal, and from which they are shown as different."""

MOVED = "moved"
"""Spot of the two words and of the slider that shifts both."""


def more(ask: Ask, entering: SchemeEffect) -> SchemeAdditions:
    """Show a query and a key of one head as arrows, pair by pair, before and after a shift of both.

    They belong to the last word and the second one, unless others are chosen.
    """
    scene, last = entering.scene, len(entering.scene.words) - 1
    config, words = scene.switches.config, scene.words
    layer = ask.menu("layer", options=range(1, config.n_layers + 1)) - 1
    head = ask.menu("head", options=range(1, config.n_heads + 1)) - 1
    with ask.at(MOVED):
        query = ask.word("query", words, usual=last)
        key = ask.word("key", words, usual=min(1, last))
        ask.name("Shift both by")
        moved = ask.slide("moved")
    assert query is not None, "one is usual"
    assert key is not None, "one is usual"
    found = unrotated_pair(scene.reading, layer, head, query, key)
    at = (query, key)
    score, shifted = (score_at(found, at, by) for by in (0, moved))
    place, names, by = f"In head {head + 1} of layer {layer + 1}", unique_labels(words), moved or USUAL
    return SchemeAdditions(
        headline=f"{place}, {headline((words[query], words[key]), at, moved, score, shifted)}",
        heading="A query and a key, and what each pair adds to their score",
        parts=(
            Controls(MOVED),
            _arrows(found, scene.plain, at, moved, f"layer {layer + 1}, head {head + 1}"),
        ),
        says=explanation(shifted, is_scaled=config.scale, is_moved=moved > 0),
        unknown=tuple(scene.reading.unknown),
        questions=lambda: (
            score_after_shift((names[query], names[key]), at, by, score_at(found, at, by) - score),
        ),
        program=lambda: Program(
            lambda: subject(words, scene.switches, layer=layer, head=head).shown(
                "rotary",
                f"The query of word {query + 1} and the key of word {key + 1}, moved by {moved}.",
                query=query,
                key=key,
                moved=moved,
            )
        ),
    )


def score_at(found: UnrotatedPair, at: tuple[int, int], moved: int) -> float:
    """Return the score of a query and a key at their positions, both moved."""
    query, key = at
    return float(found.parts(query + moved, key + moved).sum())


def _arrows(
    found: UnrotatedPair, words: tuple[str, ...], at: tuple[int, int], moved: int, place: str
) -> PicturePart:
    (query, key), turns = at, radians_per_word(len(found.q))
    unit = " per word" if len(turns) <= FEW_PAIRS else ""
    q, k = found.pairs(query + moved, key + moved)
    picture = RotaryPairs(
        q=q,
        k=k,
        before=found.pairs(query, key),
        parts=found.parts(query + moved, key + moved),
        title=f"Rotated pairs of dimensions, query of {word_label(words, query)}, "
        f"key of {word_label(words, key)}",
        titles=[f"{math.degrees(angle):.2g}°{unit}" for angle in turns],
        names=(f"query of {words[query]}", f"key of {words[key]}"),
    )
    shifted = f"query and key both shifted by {counted(moved, 'position')}"
    return PicturePart("pairs", picture, caption=Caption(notes=(place, *[shifted] * bool(moved))))


def headline(words: tuple[str, str], at: tuple[int, int], moved: int, score: float, shifted: float) -> str:
    """Say the score of the two words at their positions, and whether it stays after the shift."""
    query, key = at
    here = f"positions {query + 1} and {key + 1}"
    pair = f"*{words[0]}* and *{words[1]}*"
    said = f"the score of {pair} is {two_decimals(score)} at {here}"
    if not moved:
        return f"{said}."
    if abs(score - shifted) <= SAME:
        return (
            f"{pair} keep their score of {two_decimals(score)} if both move by {counted(moved, 'position')}."
        )
    there = f"positions {query + moved + 1} and {key + moved + 1}"
    return f"{said}, and {two_decimals(shifted)} at {there}, {distance(abs(score - shifted))} away."


def explanation(score: float, *, is_scaled: bool, is_moved: bool) -> str:
    """Say which terms make up the score, and why it stays."""
    scaled = "q·k/√d_head" if is_scaled else "q·k"
    thin = " The thin lines are the arrows before the shift." if is_moved else ""
    return (
        f"The score {scaled} = **{two_decimals(score)}** is the sum of the numbers under the circles.{thin} "
        "A shift rotates both arrows of a pair by the same angle, so the angle between them stays."
    )


def score_after_shift(
    words: tuple[Typed, Typed], positions: tuple[int, int], moved: int, by: float
) -> Choose | None:
    """Ask how a score changes if both words are shifted; None if it does not stay, or they are one."""
    stays = is_near(by, 0, within=SAME, beyond=SHOWN)
    if not stays or positions[0] == positions[1]:
        return None
    query, key = (at + 1 + moved for at in positions)
    return choose(
        f"Under *rotary*, *{words[0]}* asks from position {positions[0] + 1} and *{words[1]}* is at "
        f"{positions[1] + 1}. Both move by {counted(moved, 'position')}, to {query} and {key}. What is "
        "their score then?",
        Option("the same", stays),
        Option("smaller", not stays, "A score falls or rises with the *distance*, and that is the same."),
        Option("larger", not stays, "Both arrows rotate further, but by the same angle."),
        because="Both rotate by the same angle, so the angle between them stays.",
    )


ROTARY = SchemeViewOptions(more=more, facts={"sentence": OVEN, "switches": OF_THE_WEIGHTS | {"layers"}})
