"""What a link sets, in words for the line below a figure: the sentence, the model, and what differs."""

from collections.abc import Iterator
from typing import Any

from core.learning.collection import name_of
from core.learning.collection.checkpoint_store import FOLDER, HASH, listed_there
from core.sources import find
from figures.marked import UNKNOWN_PIECE, UNKNOWN_WORD
from pages.contract.ask import SIDEBAR, VIEWS, Ask
from pages.contract.control import Control
from pages.contract.items import Asked
from pages.contract.parameters import OF_B, TABLE
from pages.sheet import Answered
from viz.text import plain

NOT_SAID = frozenset(
    {"view", "model", "real", "seed", "predict", "code", "lecture", "special", "text", "other"}
)
"""Parameters that say how a page is shown, and those that are said in another way."""

TRAINED = "trained"
ON_OFF = {True: "on", False: "off"}


def caption(found: Answered, *, is_marked: bool = False) -> str:
    """The sentence, the model and every setting that is not at its default, on one line.

    Of a picture that `is_marked` it ends with what the mark of unknown words means.
    """
    meaning = UNKNOWN_WORD if found.scene.pieces is None else UNKNOWN_PIECE
    said = [*_sentences(found), *found.sheet.captions, *_model(found), *_settings(found.ask)]
    return " · ".join([*said, meaning] if is_marked else said)


def sentence(found: Answered) -> str:
    """The sentence as it was typed, on one line."""
    return plain(found.scene.text)


def seed(found: Answered) -> int | None:
    """The seed of a view that draws something at random; None where it has none."""
    return found.scene.switches.seed if "seed" in _asked(found.ask) else None


def weights(found: Answered) -> str:
    """What the weights on the screen are called; empty where a view does not ask for any."""
    asked = _asked(found.ask)
    if "model" not in asked:
        return ""
    pretrained = find(found.scene.switches.source).pretrained
    return pretrained.title if pretrained is not None else str(asked["model"].value)


def checkpoint(found: Answered) -> str:
    """The SHA-256 of the file that the weights of the switches come from; empty where there is none."""
    if weights(found) != TRAINED:
        return ""
    return str(listed_there(FOLDER).get(name_of(found.scene.switches.config), {}).get(HASH, ""))


def place(found: Answered) -> tuple[str, ...]:
    """The layer and the head that a view is about, as a file's name has them."""
    asked = _asked(found.ask)
    return tuple(f"{name} {asked[name].value}" for name in ("layer", "head") if name in asked)


def _sentences(found: Answered) -> Iterator[str]:
    for typed in (sentence(found), plain(found.scene.other_text)):
        if typed:
            yield f"“{typed}”"


def _model(found: Answered) -> Iterator[str]:
    called, drawn = weights(found), seed(found)
    if called:
        yield f"{called} weights" if called in ("trained", "random") else called
    if drawn is not None:
        yield f"seed {drawn}"
    if found.measured_on:
        yield f"measured on {found.measured_on}"
    if found.moment:
        yield found.moment


def _settings(ask: Ask) -> Iterator[str]:
    for name, asked in _asked(ask).items():
        if name in NOT_SAID or name.startswith(OF_B) or name.endswith(TABLE):
            continue
        if asked.value == asked.control.default:
            continue
        yield f"{_label(asked.control)}: {_spelt(asked.value)}"


def _asked(ask: Ask) -> dict[str, Asked]:
    """The controls that were asked for by name, those of the sidebar first."""
    spots = sorted(ask.items, key=lambda spot: (spot != SIDEBAR, spot != VIEWS))
    items = (item for spot in spots for item in ask.items[spot])
    return {item.control.name: item for item in items if isinstance(item, Asked)}


def _label(control: Control) -> str:
    return control.label.split(",")[0].strip() or control.name.replace("_", " ")


def _spelt(value: Any) -> str:
    if isinstance(value, bool):
        return ON_OFF[value]
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
