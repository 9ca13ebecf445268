"""Models for a notebook: read from a folder, a name, switches or an object."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import numpy as np

from attention_lab.errors import LabError, explained
from attention_lab.weights import Attention, Run, WeightsOrigin
from core.learning.collection import MEMBERS, name_of
from core.learning.collection.checkpoint_store import FOLDER, HASH, read_index
from core.learning.collection.members import HEADS
from core.measures.translation.attending import TranslatorAttention, attending, attending_in_pieces
from core.measures.translation.writing import Strategy, write
from core.model.config import ModelConfig, PairConfig
from core.model.masks import MASKS
from core.model.models import EncoderDecoder
from core.pretrained import library
from core.pretrained.fetched import FETCH_COMMAND
from core.pretrained.library import CachedModel
from core.pretrained.objects import read_object
from core.sources import LoadedModel, find
from core.sources.pairs import pair_with
from core.sources.pieces import Pieces, split
from core.sources.pretrained import title_of, with_text
from core.sources.spelling import words_of_pieces
from core.sources.trained import load_translator
from core.text.tokenizer import words_of
from words import counted

CHECKOUT = FOLDER.parent
"""The folder of this app, with `models/` and `checkpoints/`."""

FIELDS = {"heads": "n_heads", "layers": "n_layers"}
"""Switches with another name in `ModelConfig`."""

Part = Literal["cross", "encoder", "decoder"]
Read = Callable[[str], tuple[LoadedModel, Pieces | None]]
Attended = tuple[TranslatorAttention, tuple[str, ...], tuple[int, ...]]
"""The weights of a pair, the words of its source, and the places of unknown words."""


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A model from `read`: call it with a sentence."""

    title: str
    described: str
    _call: str
    _read: Read | None = None
    _attend: Callable[[str, str | None], Attended] | None = None
    _link: Mapping[str, object] | None = None
    _checkpoint: str = ""

    def __repr__(self) -> str:
        return f"<Model {self.title}: {self.described}>"

    def __call__(self, sentence: str, target: str | None = None, *, part: Part = "cross") -> Run | Attention:
        """Read a sentence; return a `Run`, or an `Attention` of an encoder–decoder.

        An encoder–decoder attends from the words of `target` to the words of the sentence; without a target
        it writes one. `part` chooses "cross", "encoder" or "decoder". Raises LabError for a sentence that the
        model cannot read.

            >>> run = lab.read("all-minilm-l6-v2")("The chef who ran is tired.")
            >>> attention = lab.read("t5-small")("The house is small.", "Das Haus ist klein.")
        """
        if not isinstance(sentence, str) or not sentence.strip():
            raise LabError(f"A model reads a sentence, as in model('hot tea'); got {sentence!r}.")
        with explained(self.title):
            if self._attend is not None:
                return self._between(sentence, target, part, self._attend(sentence, target))
            if target is not None:
                raise LabError(f"{self.title} is not an encoder–decoder: call it with one sentence.")
            assert self._read is not None, "a model reads one sentence or a pair"
            loaded, pieces = self._read(sentence)
            query = None if self._link is None else {"view": "heads", **self._link, "text": sentence}
            link = "" if query is None else f"/explorer?{urlencode(query)}"
            notes = _unknown(loaded.words, loaded.unknown) if pieces is None else ()
            return Run(loaded, self._about((sentence,), repr(sentence), link=link, notes=notes), pieces)

    def _about(self, sentences: tuple[str, ...], asked: str, **more: Any) -> WeightsOrigin:
        return WeightsOrigin(
            sentences=sentences,
            call=f"{self._call}({asked})",
            title=self.title,
            described=self.described,
            checkpoint=self._checkpoint,
            **more,
        )

    def _between(self, sentence: str, target: str | None, part: Part, read: Attended) -> Attention:
        found, source, unknown = read
        parts = {
            "cross": (found.cross, found.output, source, "cross-attention"),
            "encoder": (found.encoder, source, None, "self-attention of the encoder"),
            "decoder": (found.decoder, found.decoder_input, None, "self-attention of the decoder"),
        }
        if part not in parts:
            raise LabError(f"part must be one of {', '.join(parts)}, got {part!r}.")
        patterns, words, keys, note = parts[part]
        if not patterns.size:
            raise LabError(f"{self.title} has no {part} attention.")
        asked = ", ".join(repr(text) for text in (sentence, target) if text is not None)
        asked += "" if part == "cross" else f", part={part!r}"
        sentences = (sentence,) if part == "encoder" else (sentence, " ".join(words))
        allowed = np.tri(len(words), dtype=bool) if part == "decoder" else None
        about = self._about(sentences, asked, notes=(note, *_unknown(source, unknown)))
        return Attention(patterns, words, keys, allowed=allowed, about=about)


def _unknown(words: Sequence[str], places: Sequence[int]) -> tuple[str, ...]:
    """Return the note of a caption on unknown words; empty if the model knows all."""
    return (f"read as unknown: {', '.join(words[at] for at in places)}",) if places else ()


def models() -> list[str]:
    """Return the names of the real models that `read` knows: folders in models/, and added models.

    The environment variable ATTENTION_LAB_MODELS names more places, such as the hub's cache.
    """
    return list(library.models())


def read(
    model: Any = None,
    tokenizer: Any = None,
    *,
    positions: str | None = None,
    mask: str | None = None,
    heads: int | None = None,
    layers: int | None = None,
    norm: str | None = None,
    scale: bool | None = None,
    residual: bool | None = None,
    mlp: bool | None = None,
) -> Model:
    """Return a model that reads sentences. Raises LabError, with the reason, if it cannot be read.

    `model` is one of: a folder with a model of Hugging Face; a name of `models()`; the name of a small model
    in checkpoints/; an object of transformers with its `tokenizer`; or nothing. Without a model, the switches
    choose one of the small models that come with the app, which know a small artificial English. The default
    switches are sinusoidal positions, the causal mask, 4 heads, 2 layers and pre-norm.

        >>> lab.read("models/all-minilm-l6-v2")
        >>> lab.read(positions="rotary", mask="bidirectional")
        >>> lab.read("translation-transformer-4-2")
        >>> lab.read(GPT2LMHeadModel.from_pretrained("gpt2"), tokenizer)
    """
    given = {"positions": positions, "mask": mask, "heads": heads, "layers": layers, "norm": norm}
    given |= {"scale": scale, "residual": residual, "mlp": mlp}
    switches = {name: value for name, value in given.items() if value is not None}
    if model is None and tokenizer is None:
        return _of_switches(switches)
    if switches:
        raise LabError("Switches choose a small model of this app: leave out the model or the switches.")
    if isinstance(model, str | os.PathLike):
        return _of_name(os.fspath(model))
    if hasattr(model, "save_pretrained") and hasattr(model, "config"):
        return _of_object(model, tokenizer)
    raise LabError(
        f"{type(model).__name__} cannot be read as a model: pass a folder, a name or an object of "
        "transformers with its tokenizer. lab.attention takes the attention weights of any other model."
    )


def _of_switches(switches: Mapping[str, Any]) -> Model:
    if switches.get("heads", HEADS[0]) not in HEADS:
        raise LabError(f"heads must be one of {', '.join(map(str, HEADS))}, got {switches['heads']!r}.")
    source = find("trained")
    try:
        config = ModelConfig.of_switches(**{FIELDS.get(name, name): one for name, one in switches.items()})
        source.load(config, ("the",), 0)
    except ValueError as error:
        said = str(error)
        for name, field in FIELDS.items():
            said = said.replace(field, name)
        raise LabError(said) from error
    asked = ", ".join(f"{name}={value!r}" for name, value in switches.items())
    spelt = {name: int(value) if isinstance(value, bool) else value for name, value in switches.items()}
    hashed = read_index(FOLDER).get(name_of(config), {}).get(HASH)
    return Model(
        f"small {config.mask} model",
        _described(config),
        f"lab.read({asked})",
        lambda sentence: (source.load(config, words_of(sentence), 0), None),
        _link=spelt,
        _checkpoint="" if hashed is None or source.ablated(config) else hashed,
    )


def _described(config: ModelConfig) -> str:
    norm = "no norm" if config.norm == "none" else f"{config.norm}-norm"
    mask = f"{config.mask} mask" if MASKS[config.mask].hides else f"no mask ({config.mask})"
    off = [f"no {name}" for name in ("scale", "residual", "mlp") if not getattr(config, name)]
    sizes = f"{counted(config.n_layers, 'layer')}, {counted(config.n_heads, 'head')} each"
    return ", ".join([sizes, f"{config.positions} positions", mask, norm, *off])


def _of_name(name: str) -> Model:
    known = library.models()
    places = [Path(name).expanduser(), CHECKOUT / name, *([known[name]] if name in known else [])]
    folder = next((place for place in places if name and place.is_dir()), None)
    call = f"lab.read({name!r})"
    if folder is not None:
        own = next((own for own, path in known.items() if path.samefile(folder)), "")
        title = own or folder.resolve().name
        with explained(title):
            kept = library.load_cached(folder.absolute(), asked=True)
            return _of_kept(kept, title, call, listed_as=title_of(own) if own else "")
    member = MEMBERS.get(name)
    if member is None:
        there = ", ".join(known) or f"none yet: `{FETCH_COMMAND}` fetches two"
        raise LabError(
            f"There is no folder and no model {name!r}. Real models here: {there}. Name a folder, put it "
            "into models/, or pass an object of transformers with its tokenizer."
        )
    config = member.config
    if isinstance(config, ModelConfig) and name_of(config) == name:
        chosen = ("positions", "mask", "heads", "norm")
        return _of_switches({one: getattr(config, FIELDS.get(one, one)) for one in chosen})
    if not isinstance(config, PairConfig):
        raise LabError(
            f"{name} is neither a Transformer of the switches nor a translator: it is not read here."
        )

    def attend(sentence: str, target: str | None) -> Attended:
        loaded = load_translator(config, words_of(sentence))
        words = write(loaded, Strategy()).sentence if target is None else words_of(target)
        return attending(loaded, words), loaded.words, loaded.unknown

    return Model(name, _of_pair(config), call, _attend=attend)


def _of_pair(config: PairConfig) -> str:
    sizes = (
        f"{counted(one.n_layers, 'layer')} of {counted(one.n_heads, 'head')}"
        for one in (config.encoder, config.decoder)
    )
    return "an encoder with {}, a decoder with {}".format(*sizes)


def _of_object(model: Any, tokenizer: Any) -> Model:
    title = Path(str(getattr(model, "name_or_path", "") or type(model).__name__)).name
    if tokenizer is None:
        raise LabError(f"Pass the tokenizer of {title} too, as in lab.read(model, tokenizer).")
    try:
        kept = library.on_device(read_object(model, tokenizer))
    except ValueError as error:
        raise LabError(
            f"{title} cannot be read as a model of a known family: {error}. lab.attention draws its weights: "
            "lab.attention(model(**inputs, output_attentions=True).attentions, tokens)."
        ) from error
    return _of_kept(kept, title, "lab.read(model, tokenizer)")


def _of_kept(kept: CachedModel, title: str, call: str, *, listed_as: str = "") -> Model:
    family, pair, tokenizer = kept.pretrained.family, kept.pretrained.model, kept.pretrained.tokenizer
    if not isinstance(pair, EncoderDecoder):
        link = {"model": "real", "real": listed_as} if listed_as else None
        described = f"{family}, {_described(kept.stack.config)}"
        return Model(title, described, call, lambda sentence: with_text(kept, sentence, title), _link=link)

    def attend(sentence: str, target: str | None) -> Attended:
        pieces = None if tokenizer is None else split(sentence, tokenizer)
        made = attending_in_pieces(pair_with(kept, pieces.texts if pieces else (), title), target or "")
        n, found = len(made.target) if target is None else made.n_given, made.attending
        asked_for = replace(  # earlier rows do not depend on later ones
            found,
            decoder_input=words_of_pieces(found.decoder_input)[:n],
            output=words_of_pieces(found.output)[:n],
            decoder=found.decoder[:, :, :n, :n],
            cross=found.cross[:, :, :n],
        )
        return asked_for, words_of_pieces(pieces.labels if pieces else ()), ()

    return Model(title, f"{family}, {_of_pair(pair.config)}", call, _attend=attend)
