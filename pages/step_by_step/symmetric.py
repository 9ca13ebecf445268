"""Q = K: scores are symmetric if one matrix makes queries and keys, and weights not even then."""

from dataclasses import dataclass

from core.measures.stages import Symmetry, asymmetry, is_symmetric, symmetry
from core.programs.steps import symmetry_program
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Formula, Sheet, Shown, Text
from pages.controls.switches import WITHOUT_WINDOW
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.step_by_step.questions import symmetric, tied
from pages.step_by_step.switches import OF_HEAD
from pages.step_by_step.walking import Walked, walked
from viz.picture import Picture
from viz.stages import Panel, staged
from viz.units import distance

ALONE = "A single word has no other word to be compared with: type a second one."
FORMULA = (
    r"q_i\,k_j^\top \neq q_j\,k_i^\top \ \text{in general}, \qquad "
    r"Q = K \;\Rightarrow\; q_i\,k_j^\top = q_i\,q_j^\top = q_j\,k_i^\top"
)


@dataclass(frozen=True)
class Found:
    """The scores of a head as it is and with its queries for keys, and the weights of the latter."""

    seen: Walked
    both: Symmetry


def find(scene: Scene, choices: None) -> Found:
    """The two matrices of scores."""
    seen = walked(scene)
    return Found(seen, symmetry(seen.walk.q, seen.walk.k, scale=seen.walk.scale))


def sheet(found: Found, look: Look) -> Sheet:
    """Three matrices beside each other, and how far each is from being symmetric."""
    seen, both = found.seen, found.both
    is_alone = len(seen.labels) == 1
    return Sheet(
        answer=ALONE if is_alone else f"In {seen.scene.place}, {answer(both)}",
        unknown=seen.unknown,
        parts=(
            Formula(FORMULA, f"Textbook, section 24.4. {seen.scene.title}, before bias and mask"),
            Shown("symmetry", _picture(found, look)),
            *([] if is_alone else [Text(_why(both))]),
        ),
    )


def _picture(found: Found, look: Look) -> Picture:
    seen, both = found.seen, found.both
    root = " / √d_head" if seen.walk.config.scale else ""
    panels = [
        Panel(f"q·k{root}", both.scores, "scores"),
        Panel(f"K = Q: q·q{root}", both.tied_scores, "scores", sign="│"),
        Panel("softmax", both.tied_pattern, "weights"),
    ]
    unit, size = seen.scene.unit, look.room()
    title = f"Scores with keys of their own and with K = Q, {seen.scene.place}"
    return staged(panels, seen.labels, title=title, theme=look.theme, size=size, unit=unit, listed=0)


def answer(both: Symmetry) -> str:
    """How far the scores are from being symmetric, with two matrices and with one."""
    return (
        f"max |S − Sᵀ| is {distance(asymmetry(both.scores))} for the head as it is and "
        f"{distance(asymmetry(both.tied_scores))} with K = Q."
    )


def _why(both: Symmetry) -> str:
    if is_symmetric(both.tied_pattern):
        weights = (
            "With K = Q the attention weights of this sentence are symmetric too: all rows of scores have "
            "the same sum of exp."
        )
    else:
        weights = (
            "With K = Q the scores are symmetric, but the attention weights are not "
            f"(max |α − αᵀ| = {distance(asymmetry(both.tied_pattern))}), because the softmax divides "
            "each row by a sum of its own."
        )
    return f"With two matrices, i can attend to j without j attending to i. {weights}"


def questions(found: Found) -> tuple[Question | None, ...]:
    """One direction and the other, with two matrices and with one."""
    return symmetric(), tied(asymmetry(found.both.tied_scores))


def program(found: Found) -> Program:
    """A program for the scores."""
    return Program(lambda: symmetry_program(found.seen.scene.subject))


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    question="Do two words attend to each other equally?",
    **OF_HEAD | {"switches": WITHOUT_WINDOW - {"mask"}},
)
