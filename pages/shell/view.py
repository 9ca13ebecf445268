"""What a page is: a question, and views that answer it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.model.config import ModelConfig
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Sheet
from pages.controls.sentence import EXAMPLES
from pages.controls.switches import Architecture, architecture
from pages.shell.live import Live
from pages.shell.measuring import Measurement
from pages.shell.program import Program
from pages.shell.scene import Scene

About = Literal["model", "layer", "head"]
"""What a view is about: a whole model, or the layer or head chosen in its menus."""


def _ask_nothing(ask: Ask, scene: Scene) -> None:
    """Ask nothing: the view has no controls of its own."""


def _find_the_scene(scene: Scene, choices: None) -> Scene:
    """Find the scene: the view says nothing but what it was given."""
    return scene


@dataclass(frozen=True, kw_only=True)
class View:
    """One answer to the question of its page, as five functions that need no page.

    `ask` asks for the view's own controls and returns the choices as one value. `find` computes all that is
    drawn or said; it raises UnavailableError where there is no model. `sheet` says it, for a `Look`, and
    `program` is what computes it again. `questions` asks what of it one expects, before it is shown; what
    would be a tie is None. What its `measurement` has measured on this machine is part of the scene that
    `find` is given; so is what goes on by itself, where a view is `live`.

    `question` is its own, in place of the page's; `is_advanced` marks one that a first lesson can do without.
    `sentence` is the one that stands in the box at first, and
    `other` that of a second box: a view without does not read any. `switches` names the controls it has in
    the sidebar, and `defaults` those that begin elsewhere than usual, layer and head among them. A view that
    `reads` is shown only where the model of the switches is there, and its words unknown to that model
    are named. One that shows several
    models is not of `one_model`, and says itself what they have learned; one that has its `own_mask` says
    itself what is ablated. A view that does not ask for weights has a seed for a configuration whose weights
    are random, as `is_random` says. The weights of a `real` one can be
    those of a pretrained model, which reads pieces of words, `most_pieces` at most; one that `merges` can
    show them as words. The `examples` are one click away from the first box.
    """

    ask: Callable[[Ask, Scene], Any] = _ask_nothing
    find: Callable[[Scene, Any], Any] = _find_the_scene
    sheet: Callable[[Any, Look], Sheet]
    program: Callable[[Any], Program | None] | None = None
    questions: Callable[[Any], Sequence[Question | None]] | None = None
    measurement: Measurement | None = None
    live: Live | None = None
    question: str = ""
    is_advanced: bool = False
    sentence: str = ""
    other: str = ""
    switches: frozenset[str] = frozenset()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    about: About = "model"
    reads: bool = False
    one_model: bool = True
    own_mask: bool = False
    is_random: Callable[[ModelConfig], bool] = lambda _: True
    own: bool = False
    real: bool = False
    merges: bool = False
    most_pieces: int = MAX_WORDS
    examples: tuple[str, ...] = EXAMPLES

    def choices(self, ask: Ask, scene: Scene) -> Any:
        """The choices that `find` is given, with all controls of the view asked for."""
        asked = self.ask(ask, scene)
        return asked if self.live is None else self.live.ask(ask, scene, asked)


def switched(ask: Ask, view: View) -> Architecture:
    """What the switches of a view say."""
    return architecture(
        ask,
        shown=view.switches,
        defaults=view.defaults,
        with_own=view.own,
        with_real=view.real,
        one_model=view.one_model,
        says_ablations=not view.own_mask,
        is_random=view.is_random,
    )


@dataclass(frozen=True, kw_only=True)
class Page:
    """A question and its views, by the names that their row and the link use; the first one opens the page.

    `choose` asks for the model where the page does it in its own way. Links made before today may name a view
    under the parameter `formerly`, or by a name that `renamed` leads on from; `former_names` lead
    from what its parameters were called before, which now means something else on another page. Where another
    view opened the page before, `named_by` leads from parameters of its own to it: a link to it named none.
    `instead` is asked first: whether it has put something else in place of the page, as a lecture does.
    """

    question: str
    views: Mapping[str, View]
    choose: Callable[[Ask, View], Architecture] = switched
    formerly: str = "view"
    renamed: Mapping[str, str] = field(default_factory=dict)
    former_names: Mapping[str, str] = field(default_factory=dict)
    named_by: Mapping[str, str] = field(default_factory=dict)
    instead: Callable[[], bool] = lambda: False
