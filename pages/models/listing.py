"""A row for each real model: what it is, what it needs, whether it is in memory, and a link that opens it."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from core.device import choose_device, describe
from core.pretrained import FAMILIES, hub
from core.pretrained.library import About
from core.sources.pretrained import (
    about,
    how_many,
    is_large,
    is_loaded,
    is_there,
    reading_says,
    there,
    title_of,
)
from pages import EXPLORER
from pages.contract.ask import Ask
from pages.contract.items import Hub
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Controls, Sheet, Text
from pages.contract.table import table
from pages.controls.prose import Typed, literal
from pages.controls.real import REAL
from pages.controls.sizes import parameters
from pages.models.questions import memory_of, what_a_real_model_has
from pages.shell import Scene, View
from pages.shell.five import five
from viz.text import counted
from viz.units import memory

HEAD = ("Model", "Family", "Parameters", "On disk", "Memory needed", "State", "Open")
UNKNOWN = "–"
HUB = "hub_box"
NOT_THERE = "not there: `make pretrained` fetches it, 83 MB"
UNREADABLE = "cannot be read:"
LONGEST_REASON = 400
LONGEST_NAME = 120
"""Most characters that are shown of what a folder says, and of its name."""

NO_TEXT = "reads no sentence: the folder"
LOADED = "in memory"
LARGE_ONE = "large: loaded when somebody asks for it"
READY = "loaded when somebody opens it"

FOLDERS = (
    "A Hugging Face folder in `models/`, or where the server's operator points `ATTENTION_LAB_MODELS`, is "
    "found by itself if it is of one of these families: {}. Its weights run in our own modules; safetensors "
    "only, and no code."
)
HUB_IS_OFF = (
    "Fetching from the hub is switched off on this server: its operator names what may be fetched in "
    "`ATTENTION_LAB_HUB`."
)


@dataclass(frozen=True)
class Found:
    """The rows of the table, and what the server says of itself.

    `n_there` models can be read, and `n_refused` folders cannot. `first` is the first model that can: its
    title, its parameters and their bytes in memory.
    """

    rows: tuple[tuple[str, ...], ...]
    n_there: int
    n_refused: int
    n_loaded: int
    n_kept: int
    where: str
    has_hub: bool
    first: tuple[Typed, int, int] | None = None


def ask(ask: Ask, scene: Scene) -> None:
    """A box that fetches a model, where the operator allows it."""
    if hub.is_on():
        with ask.at(HUB):
            ask.add(Hub())


def find(scene: Scene, choices: None) -> Found:
    """The models that are there; nothing on this page depends on a sentence."""
    said = {name: reading_says(name) for name in there() if is_there(name)}
    names = [name for name, one in said.items() if not isinstance(one, str)]
    return Found(
        rows=tuple(_row(name, said.get(name)) for name in there()),
        n_there=len(names),
        n_refused=len(said) - len(names),
        n_loaded=sum(map(is_loaded, names)),
        n_kept=how_many(),
        where=describe(choose_device()),
        has_hub=hub.is_on(),
        first=_first(names),
    )


def _first(names: Sequence[str]) -> tuple[Typed, int, int] | None:
    known = ((name, one) for name in names if (one := about(name)) is not None)
    name, one = next(known, ("", None))
    return None if one is None else (Typed(title_of(name)), one.n_parameters, one.in_memory)


def sheet(found: Found, look: Look) -> Sheet:
    """The models that are there, and how others get there."""
    families = ", ".join(dict.fromkeys(family.title for family in FAMILIES.values()))
    kept = (
        f"The server keeps {counted(found.n_kept, 'model')} in memory at most, on {found.where}, for all "
        "visitors together: the one used least recently leaves first."
    )
    return Sheet(
        answer=_answer(found),
        parts=(
            table("real_models", HEAD, found.rows),
            Text(kept),
            Text(FOLDERS.format(families)),
            Controls(HUB) if found.has_hub else Text(HUB_IS_OFF),
        ),
    )


def _answer(found: Found) -> str:
    """How many models are there, and how many of them in memory."""
    are = "is" if found.n_there == 1 else "are"
    models = f"{counted(found.n_there, 'real model')} {are} there, {found.n_loaded} in memory."
    refused = f"{counted(found.n_refused, 'folder')} cannot be read." * (found.n_refused > 0)
    return f"{models if found.n_there else 'No real model is there yet.'} {refused}".rstrip()


def _row(name: str, said: About | str | None) -> tuple[str, ...]:
    """Return the row of a model, of which reading its folder `said` this, if it is there."""
    title = f"**{literal(title_of(name), longest=LONGEST_NAME)}**"
    if not isinstance(said, About):
        state = NOT_THERE if said is None else f"{UNREADABLE} {Typed(said):{LONGEST_REASON}}"
        return title, *(UNKNOWN,) * 4, state, UNKNOWN
    sizes = (said.family, parameters(said.n_parameters), memory(said.on_disk), memory(said.in_memory))
    if said.lacks:
        return title, *sizes, f"{NO_TEXT} {said.lacks}", UNKNOWN
    link = f"[Read a sentence](/{EXPLORER.address}?{urlencode({'model': REAL, 'real': title_of(name)})})"
    return title, *sizes, _state(name), link


def _state(name: str) -> str:
    """Return a phrase that says where a model is that can be read."""
    if is_loaded(name):
        return LOADED
    return LARGE_ONE if is_large(name) else READY


def questions(found: Found) -> tuple[Question | None, ...]:
    """The memory that a model needs, and what tells it from a small one."""
    return None if found.first is None else memory_of(*found.first), what_a_real_model_has()


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions))
