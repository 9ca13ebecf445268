"""Captions of figures: the sentence, the models, facts that the title leaves out, and the settings.

The provenance of a file is made here too.
"""

import re
from collections.abc import Iterator, Mapping

from core.learning.collection import name_of
from core.learning.collection.checkpoint_store import FOLDER, HASH, read_index
from figures.provenance import address, provenance
from pages.contract.ask import SIDEBAR, VIEWS, Ask
from pages.contract.items import Control
from pages.contract.parameters import OF_B
from pages.contract.sheet import Caption
from pages.contract.words import NO_PIECE, NOT_LEARNED, UNKNOWN_MARK
from pages.sheet import SheetResult
from viz.text import plain

TRAINED = "trained"
BEFORE_MARK = re.compile(r" (?=[.,;:?!](?: |$))")
"""The space before a mark that was typed as a separate word."""


def caption(
    found: SheetResult, own: Caption | None = None, *, title: str = "", is_marked: bool = False
) -> str:
    """Return the caption of a picture on one line, with dots between its items.

    `own` replaces the sheet's caption. The caption does not repeat the `title`. If the picture `is_marked`,
    the caption ends with the meaning of the mark of unknown words.
    """
    made = own or found.sheet.caption
    unknown = NOT_LEARNED if found.scene.pieces is None else NO_PIECE
    typed = (found.scene.text, found.scene.other_text)
    said = [
        *(map(quoted, filter(None, map(plain, typed))) if made.chosen else ()),
        *_models(found, made),
        *_facts(found, made),
        _measured_on(found, made),
        found.moment,
        f"{UNKNOWN_MARK} {unknown}" if is_marked else "",
    ]
    return " · ".join(dict.fromkeys(one for one in said if one and one.lower() not in title.lower()))


def quoted(text: str) -> str:
    """Return a sentence in quotation marks, with its punctuation marks right behind words."""
    return f"“{BEFORE_MARK.sub('', text)}”"


def figure_provenance(
    found: SheetResult, own: Caption | None, *, title: str, description: str, origin: str
) -> Mapping[str, str]:
    """Return the provenance of a picture's file; `own` replaces the sheet's caption."""
    asked, made = _asked(found.ask), own or found.sheet.caption
    is_of_switches = made.models is None and "model" in asked and asked["model"].value == TRAINED
    return provenance(
        title=title,
        description=description,
        link=address(found.link, origin),
        seed=asked["seed"].value if made.chosen and "seed" in _settings(found.ask) else made.seed,
        weights="; ".join(_models(found, made)),
        checkpoint=_checkpoint(found) if is_of_switches else None,
        moment=found.moment or _measured_on(found, made),
    )


def place(found: SheetResult) -> tuple[str, ...]:
    """Return the layer and the head of a view as in a file's name."""
    asked = _asked(found.ask)
    return tuple(f"{name} {asked[name].value}" for name in ("layer", "head") if name in asked)


def _models(found: SheetResult, made: Caption) -> Iterator[str]:
    if made.models is not None:
        yield from made.models()
    elif any(asked.parameter.names_model for asked in found.ask.asked()):
        yield found.scene.switches.described()


def _facts(found: SheetResult, made: Caption) -> tuple[str, ...]:
    """Return the notes of a picture and the settings that it depends on."""
    seed = () if made.seed is None else (f"seed {made.seed}",)
    return (*made.notes, *(_settings(found.ask).values() if made.chosen else ()), *seed)


def _measured_on(found: SheetResult, made: Caption) -> str:
    return f"measured on {found.measured_on}" if made.measured and found.measured_on else ""


def _checkpoint(found: SheetResult) -> str | None:
    """Return the SHA-256 of the trained model that the switches describe."""
    return read_index(FOLDER).get(name_of(found.scene.switches.config), {}).get(HASH)


def _settings(ask: Ask) -> dict[str, str]:
    """Return the settings whose parameters have a text for captions, by name."""
    settings = {}
    for name, asked in _asked(ask).items():
        one, value = asked.parameter, asked.value
        if not one.caption or name.startswith(OF_B) or value in (None, "", one.unsaid):
            continue
        if one.kind == "switch" and value == one.default:
            continue
        settings[name] = one.caption.format(plain(str(value)))
    return settings


def _asked(ask: Ask) -> dict[str, Control]:
    """Return the controls of a view by name, starting with the sidebar."""
    spots = sorted(ask.items, key=lambda spot: (spot != SIDEBAR, spot != VIEWS))
    return {one.parameter.name: one for one in ask.asked(spots)}
