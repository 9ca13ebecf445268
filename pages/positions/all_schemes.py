"""All schemes: the effect of each on a score by distance, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from core.measures.positions.schemes import score_changes
from core.measures.reading import read
from core.model.config import POSITIONS, Positions
from core.model.positions import INJECTION_POINTS, SCHEMES
from core.programs import Call
from core.sources import UnavailableError
from pages.contract.ask import Ask
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, exceeds, is_not
from pages.contract.scene import Scene, reading, subject
from pages.contract.sheet import Caption, Changes, Controls, PicturePart, Point, Program, Sheet, Text
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.contract.weights import absent_of, missing_notes
from pages.positions.any_scheme import OF_THE_WEIGHTS, WORD
from viz.schemes import FLAT, SchemeCurve, Schemes
from words import enumerated, fraction, magnitude

N = 48
"""Words of the sentence: the length that all models have seen in training."""

PROGRAM = "program"
"""Spot of the menu that chooses the scheme of the program."""

HOW = (
    f"The sentence is *{WORD}*, {N} times: words are the same, so only positions can tell two keys apart. "
    "Each line shows how far a score of the last word is above or below its score with itself, in the first "
    "layer. Each chart has its own scale{}. Click the line of the chosen head to open the view of its "
    "scheme; *none* has no view."
)
OTHERS = ", and grey lines are the other heads"
Rows = Float[np.ndarray, "head distance"]


@view(switches=OF_THE_WEIGHTS, one_model=False)
def all_schemes(ask: Ask, scene: Scene) -> Sheet:
    """Show how scores change with distance under every scheme with an available model."""
    head = ask.menu("head", options=range(1, scene.switches.config.n_heads + 1)) - 1
    with ask.at(PROGRAM):
        chosen: Positions = ask.menu("positions", label="Program for", width=240)
    found, missing = _of_every_scheme(scene.switches)
    how = HOW.format(OTHERS * (scene.switches.config.n_heads > 1))
    rows = {name: changes[head] for name, changes in found.items()}
    return Sheet(
        headline=headline(head, {SCHEMES[name].about.name: row for name, row in rows.items()}),
        caption=Caption(
            models=lambda: (scene.switches.described("positions"),),
            notes=("a model for each position scheme", f"one word, {N} times", "layer 1"),
        ),
        notes=missing_notes(missing),
        parts=(
            _picture(found, head),
            Text(f"{how} {same_weights(len(found), trained=scene.switches.weights.trained)}"),
            Controls(PROGRAM),
        ),
        questions=lambda: (
            course_without_positions(rows.get("none")),
            course_of_alibi(head, rows.get("alibi")),
        ),
        program=lambda: Program.calling(
            "How far a score between equal words is above or below the score with itself, by distance, "
            f"with positions '{chosen}': a row for each head.",
            score_changes,
            Call(read, subject((WORD,) * N, _with(scene.switches, chosen)).call),
            scene.switches.config.n_heads,
            prints="the line of every head under this scheme",
        ),
    )


def _of_every_scheme(switches: Architecture) -> tuple[dict[Positions, Rows], str]:
    """Return the changes under each scheme, and which models are missing.

    Raises UnavailableError if there is no model at all.
    """
    found: dict[Positions, Rows] = {}
    error: UnavailableError | None = None
    for positions in POSITIONS:
        own = _with(switches, positions)
        try:
            found[positions] = score_changes(reading((WORD,) * N, own), own.config.n_heads)
        except UnavailableError as why:
            error = why
    if error is None:
        return found, ""
    if not found:
        raise error
    every = [_with(switches, positions).config for positions in POSITIONS]
    return found, absent_of(switches.source, every)


def _with(switches: Architecture, positions: Positions) -> Architecture:
    return replace(switches, config=replace(switches.config, positions=positions))


def _picture(found: Mapping[Positions, Rows], head: int) -> PicturePart:
    picture = Schemes(
        panels=[
            SchemeCurve(title=SCHEMES[name].about.name, brief=in_brief(name), values=changes)
            for name, changes in found.items()
        ],
        chosen=head,
        title=f"What each position scheme adds to a score by distance, head {head + 1}",
        x_title="words back",
    )
    shown = list(found)
    return PicturePart("schemes", picture, on_click=lambda points, link: open_view(shown, points))


def in_brief(positions: Positions) -> str:
    """Return a scheme's injection point and its formula in short."""
    scheme = SCHEMES[positions]
    point = scheme.injection_point()
    return scheme.about.in_brief if point is None else f"{INJECTION_POINTS[point]}: {scheme.about.in_brief}"


def open_view(shown: Sequence[Positions], points: Sequence[Point]) -> Changes:
    """Return the change to the view of the scheme whose chart was clicked, if it has one."""
    positions = shown[int(points[-1]["data"])]
    return {"view": positions} if SCHEMES[positions].injection_point() is not None else {}


def headline(head: int, rows: Mapping[str, Float[np.ndarray, "distance"]]) -> str:
    """Say under which scheme distance changes a score most, and under which it changes none."""
    largest = {name: float(np.abs(row).max()) for name, row in rows.items()}
    flat = [f"*{name}*" for name, change in largest.items() if change <= FLAT]
    place = f"In head {head + 1} of layer 1, distance"
    if len(flat) == len(rows):
        return f"{place} alone changes no score under {enumerated(flat)}."
    most = max(largest, key=largest.__getitem__)
    none = f", and not at all under {enumerated(flat)}" if flat else ""
    return f"{place} alone changes a score by up to {magnitude(largest[most])} under *{most}*{none}."


def same_weights(n_models: int, *, trained: bool) -> str:
    """Say which weights the models under the schemes share."""
    if not trained:
        return "All models have the same random weights: only the scheme differs."
    if n_models == 1:
        return "The model learned with this scheme."
    return f"The {n_models} models learned from the same sentences, each with its own scheme."


def course_without_positions(row: Float[np.ndarray, "distance"] | None) -> Choose | None:
    """Ask how scores of equal words change with distance without positions; None without such a model."""
    if row is None:
        return None
    is_flat = is_not(exceeds(float(np.abs(row).max()), FLAT, FLAT / 10))
    return choose(
        "All words of a sentence are the same, and a model has no positions. How does the score of the last "
        "word change with the distance of the key?",
        Option("not at all", is_flat),
        Option("it falls with distance", False, "Nothing tells a near key from a distant one."),
        Option("it rises with distance", False, "Nothing tells a near key from a distant one."),
        because="Equal words have equal keys, and a score is the dot product of a query and a key.",
    )


def course_of_alibi(head: int, row: Float[np.ndarray, "distance"] | None) -> Choose | None:
    """Ask for the course of a linear bias; None without such a model."""
    if row is None:
        return None
    slope, steps = -float(row[1]), np.diff(row)
    return choose(
        f"In head {head + 1}, *ALiBi* takes {fraction(slope)} off a score for each word of distance. All "
        "words are the same. What is the line of its scores by distance?",
        Option("straight, downwards", bool(np.allclose(steps, -slope, atol=1e-3))),
        Option("a wave", False, "A wave comes from rotations or sines: here each word takes off the same."),
        Option("steps", False, "Steps come from distances that share a number: here each has its own."),
        because=f"The same {fraction(slope)} for each word makes a straight line.",
    )
