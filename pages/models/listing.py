"""A row for each real model: what it is, what it needs, whether it is in memory, and a link that opens it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from core.device import choose_device, describe
from core.pretrained import FAMILIES, hub
from core.sources.pretrained import about, how_many, is_large, is_loaded, is_there, there, title_of
from pages import EXPLORER
from pages.contract.form import Form
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
from viz.text import counted
from viz.units import memory

HEAD = ("Model", "Family", "Parameters", "On disk", "Memory needed", "State", "Open")
UNKNOWN = "–"
HUB = "hub_box"
NOT_THERE = "not there: `make pretrained` fetches it, 83 MB"
UNREADABLE = "cannot be read: open it to see why"
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

    `first` is the first model that can be read: its title, its parameters and their bytes in memory.
    """

    rows: tuple[tuple[str, ...], ...]
    n_there: int
    n_loaded: int
    n_kept: int
    where: str
    has_hub: bool
    first: tuple[Typed, int, int] | None = None


def ask(form: Form, scene: Scene) -> None:
    """A box that fetches a model, where the operator allows it."""
    if hub.is_on():
        with form.at(HUB):
            form.add(Hub())


def find(scene: Scene, choices: None) -> Found:
    """The models that are there; nothing on this page depends on a sentence."""
    names = [name for name in there() if is_there(name)]
    return Found(
        rows=tuple(_rows()),
        n_there=len(names),
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
    if not found.n_there:
        return "No real model is there yet."
    are = "is" if found.n_there == 1 else "are"
    return f"{counted(found.n_there, 'real model')} {are} there, {found.n_loaded} in memory."


def _rows() -> Iterator[tuple[str, ...]]:
    for name in there():
        title, known = title_of(name), about(name)
        link = f"[Read a sentence](/{EXPLORER.address}?{urlencode({'model': REAL, 'real': title})})"
        sizes = (UNKNOWN,) * 4
        if known is not None:
            sizes = (
                known.family,
                parameters(known.n_parameters),
                memory(known.on_disk),
                memory(known.in_memory),
            )
        yield f"**{literal(title)}**", *sizes, _state(name, is_known=known is not None), link


def _state(name: str, *, is_known: bool) -> str:
    """A phrase that says where a model is."""
    if not is_there(name):
        return NOT_THERE
    if not is_known:
        return UNREADABLE
    if is_loaded(name):
        return LOADED
    return LARGE_ONE if is_large(name) else READY


def questions(found: Found) -> tuple[Question | None, ...]:
    """The memory that a model needs, and what tells it from a small one."""
    return None if found.first is None else memory_of(*found.first), what_a_real_model_has()


VIEW = View(ask=ask, find=find, sheet=sheet, questions=questions)
