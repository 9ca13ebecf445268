"""A row for each real model: its description, its requirements, whether it is in memory, and a link."""

from collections.abc import Iterator
from urllib.parse import urlencode

from core.device import choose_device, describe
from core.pretrained import FAMILIES, hub
from core.pretrained.fetched import FETCH_COMMAND
from core.pretrained.library import FolderSummary, most_kept
from core.sources.pretrained import (
    FETCHED,
    is_large,
    is_loaded,
    is_there,
    known_models,
    summary_or_error,
    title_of,
)
from pages import EXPLORER
from pages.contract.ask import Ask
from pages.contract.items import Hub
from pages.contract.prose import Typed, literal
from pages.contract.real import REAL, n_parameters
from pages.contract.scene import Scene
from pages.contract.sheet import Controls, Fold, Sheet, Text, table
from pages.contract.static_questions import static_question
from pages.contract.view import view
from words import counted, memory

HEAD = ("Model", "Family", "Parameters", "Weights on disk", "Memory needed", "State", "Open")
UNKNOWN = "–"
HUB = "hub_box"
NOT_THERE = f"not there: `{FETCH_COMMAND}` fetches it, {{}} MB"
UNREADABLE = "cannot be read:"
LONGEST_REASON = 400
LONGEST_NAME = 120
NO_TEXT = "reads no sentence: the folder"
LOADED = "in memory"
LARGE_ONE = "large: loaded on request"
READY = "loaded when opened"

FOLDERS = (
    "The server finds Hugging Face folders in `models/`, and in those that its operator names in "
    "`ATTENTION_LAB_MODELS`. It reads models of these families: {}. It reads only safetensors, runs them in "
    "its own modules, and runs no code of a folder."
)
HUB_IS_OFF = (
    "Fetching from the hub is switched off on this server: its operator names what may be fetched in "
    "`ATTENTION_LAB_HUB`."
)


@view()
def models(ask: Ask, scene: Scene) -> Sheet:
    """Return a row for each model, and folded away how to add others."""
    if hub.is_on():
        with ask.at(HUB):
            ask.add(Hub())
    said = {name: summary_or_error(name) for name in known_models() if is_there(name)}
    names = [name for name, one in said.items() if isinstance(one, FolderSummary) and not one.lacks]
    return Sheet(
        headline=headline(len(names), len(said) - len(names), n_loaded=sum(map(is_loaded, names))),
        parts=(
            table("real_models", HEAD, [_row(name, said.get(name)) for name in known_models()]),
            *(
                Text(f"**{literal(one.title)}** {one.about}. Licence: *{one.licence}*.")
                for one in FETCHED.values()
            ),
            *([Controls(HUB)] if hub.is_on() else []),
            Fold("How a model gets here", tuple(map(Text, _how())), key="how_models"),
        ),
        questions=lambda: (static_question("what_a_real_model_has"),),
    )


def headline(n_there: int, n_refused: int, *, n_loaded: int) -> str:
    """Return how many models can be used, how many of them are in memory, and how many folders cannot."""
    are = "is" if n_there == 1 else "are"
    models = f"{counted(n_there, 'real model')} {are} available, {n_loaded} in memory."
    refused = f"{counted(n_refused, 'folder')} cannot be used." * (n_refused > 0)
    return f"{models if n_there else 'No real model is available yet.'} {refused}".rstrip()


def _how() -> Iterator[str]:
    """Yield which models the server finds, where it keeps them, and whether it fetches others."""
    yield FOLDERS.format(", ".join(dict.fromkeys(family.title for family in FAMILIES.values())))
    yield (
        f"Each process of the server keeps {counted(most_kept(), 'model')} in memory at most, "
        f"on {describe(choose_device())}, for all its visitors together. "
        "The least recently used model is removed first."
    )
    if not hub.is_on():
        yield HUB_IS_OFF


def _row(name: str, said: FolderSummary | str | None) -> tuple[str, ...]:
    """Return the row of a model: `said` describes it, or why it cannot be read; None if it is not there."""
    title = f"**{literal(title_of(name), longest=LONGEST_NAME)}**"
    if not isinstance(said, FolderSummary):
        refused = f"{UNREADABLE} {Typed(said):{LONGEST_REASON}}"
        state = NOT_THERE.format(FETCHED[name].megabytes) if said is None else refused
        return title, *(UNKNOWN,) * 4, state, UNKNOWN
    sizes = (said.family, n_parameters(said.n_parameters), memory(said.on_disk), memory(said.in_memory))
    if said.lacks:
        return title, *sizes, f"{NO_TEXT} {said.lacks}", UNKNOWN
    link = f"[Read a sentence](/{EXPLORER.address}?{urlencode({'model': REAL, 'real': title_of(name)})})"
    state = LOADED if is_loaded(name) else LARGE_ONE if is_large(name) else READY
    return title, *sizes, state, link
