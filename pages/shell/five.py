"""A view written as five functions, as one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.measurement import NOTHING, Measurement
from pages.contract.program import Program
from pages.contract.question import Question
from pages.contract.sheet import Sheet
from pages.shell.scene import Scene


def five(
    *,
    sheet: Callable[[Any, Look], Sheet],
    ask: Callable[[Ask, Scene], Any] = lambda ask, scene: None,
    find: Callable[[Scene, Any], Any] = lambda scene, choices: scene,
    program: Callable[[Any], Program | None] | None = None,
    questions: Callable[[Any], Sequence[Question | None]] | None = None,
    reads: bool = False,
    measurement: Callable[[Scene, Any], Measurement] | None = None,
) -> Callable[[Ask, Scene], Sheet]:
    """Return the one function of a view."""

    def drawn(asked: Ask, scene: Scene) -> Sheet:
        choices = ask(asked, scene)
        unknown = scene.reading.unknown if reads else ()
        measured = NOTHING if measurement is None else asked.measure(measurement(scene, choices))
        found = find(replace(scene, measured=measured), choices)
        made = sheet(found, asked.look)
        return replace(
            made,
            unknown=made.unknown or tuple(unknown),
            questions=lambda: () if questions is None else questions(found),
            program=lambda: None if program is None else program(found),
        )

    return drawn
