"""The badge of a picture in the lecture hall: its model in a few words, and its settings if it is covered."""

import re
from collections.abc import Iterable, Iterator, Sequence

from core.text.translation import NAME
from pages.contract.arrangement import Visual, arranged
from pages.contract.ask import Ask
from pages.contract.items import Control
from pages.contract.model_descriptions import CHECKPOINTS, ENGLISH, HAND_SET, RANDOM
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, PicturePart, Sheet
from pages.contract.words import NO_PIECE, NOT_LEARNED, UNKNOWN_MARK

TRANSLATOR = "translator"

NO_SETTINGS = frozenset({"view", "step"})
"""Parameters that a covered picture does not name: the word at a decoding step may be the answer."""

PLURAL = re.compile(r"\b(Transformers|RNNs|LSTMs|models|networks|classifiers)\b|\), ")
TRAINED = re.compile(r"\btrained\b")
MARKED = re.compile(rf"[^\s>'\"]{UNKNOWN_MARK}")
MEASURED = re.compile(r"\d[.,]\d|%")
"""A number in the title of a picture that may be an answer."""


def badge(sheet: Sheet, scene: Scene, ask: Ask) -> str:
    """Return the model of the pictures of a sheet and its language; empty if they show no model."""
    phrases = list(dict.fromkeys(_models(sheet, scene, ask)))
    said = "; ".join(phrases)
    if real := scene.switches.weights.pretrained if phrases else None:
        name = CHECKPOINTS.get(real.name, real.name)
        if name in said:
            return name.partition(" (")[0]
    model = "small models" if len(phrases) > 1 or PLURAL.search(said) else "small model"
    if HAND_SET in said:
        return "made by hand"
    if RANDOM in said:
        is_mixed = any(TRAINED.search(one) for one in phrases)
        return f"{model}, {'some trained, some with ' if is_mixed else ''}random weights"
    if "trained" not in said:
        return ""
    if NAME in said:
        return f"{model}, trained · {ENGLISH} to {NAME}, an invented language"
    return f"{model}, trained{f' · {ENGLISH}' if ENGLISH in said else ''}"


def _models(sheet: Sheet, scene: Scene, ask: Ask) -> Iterator[str]:
    asked = ask.asked()
    for one in dict.fromkeys(_caption(drawn, sheet) for drawn in _drawn(sheet, ask)):
        if one.models is not None:
            yield from one.models()
        elif any(control.parameter.name == TRANSLATOR for control in asked):
            yield f"trained on translation from {ENGLISH} into {NAME}"
        elif any(control.parameter.names_model for control in asked):
            yield scene.switches.described()


def _drawn(sheet: Sheet, ask: Ask) -> list[Visual]:
    picture = arranged(sheet.parts, ask.look.panel).picture
    return [] if picture is None else [panel.drawn for panel in picture.panels]


def _caption(part: Visual, sheet: Sheet) -> Caption:
    return (part.caption if isinstance(part, PicturePart) else None) or sheet.caption


def legend_of_mark(scene: Scene, drawn: Iterable[object]) -> str:
    """Return the meaning of the mark of unknown words if a picture has the mark; else nothing."""
    if not any(MARKED.search(str(one)) for one in drawn):
        return ""
    return f"{UNKNOWN_MARK} {NOT_LEARNED if scene.pieces is None else NO_PIECE}"


def frame_of(sheet: Sheet, scene: Scene, ask: Ask) -> dict[str, Sequence[str] | str]:
    """Return the frame of a sheet without its results, for a covered picture.

    It has the typed sentences, the switches that differ from their defaults, and the subjects of the
    pictures: their axes, or their titles if they have no axes.
    """
    drawn = _drawn(sheet, ask)
    return {
        "sentences": sentences_of(scene),
        "settings": list(dict.fromkeys(filter(None, map(_setting, ask.asked())))),
        "titles": list(dict.fromkeys(filter(None, (_subject(one) for one in drawn if not _axes(one))))),
        "axes": list(dict.fromkeys(filter(None, map(_axes, drawn)))),
        "model": badge(sheet, scene, ask),
    }


def sentences_of(scene: Scene) -> list[str]:
    """Return the sentences that a view is about, in quotation marks."""
    return [f"“{text}”" for text in (scene.text, scene.other_text) if text]


def _setting(asked: Control) -> str:
    """Return a control in words; nothing if it is at its default or holds typed text."""
    one, value = asked.parameter, asked.value
    if value in (None, "", [], one.default) or one.kind in ("text", "spelt") or one.name in NO_SETTINGS:
        return ""
    if one.kind == "switch":
        return f"{one.label}: {'on' if value else 'off'}"
    if asked.words:
        return f"{one.label}: {asked.words[int(value) - 1]}"
    if isinstance(value, list):
        return f"{one.label}: {', '.join(map(str, value))}"
    return f"{one.label} {value}" if isinstance(value, int) else f"{one.label}: {value}"


def _axes(part: Visual) -> str:
    """Return the axes of a picture that has two; nothing for any other."""
    if not isinstance(part, PicturePart):
        return ""
    x, y = (getattr(part.picture, f"{axis}_title", "") for axis in "xy")
    return f"{y}, by {x}" if x and y else ""


def _subject(part: Visual) -> str:
    """Return the subject of a picture; nothing if its title contains a result."""
    said = part.picture.title if isinstance(part, PicturePart) else part.title
    return "" if MEASURED.search(said) else said
