"""Text into the pieces of a pretrained vocabulary, by a folder's `tokenizer.json`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
import torch
from jaxtyping import Int
from torch import Tensor

from core.pretrained.bounds import MOST_OF_TEXT, MOST_TOKENIZER_BYTES, check_lengths, check_steps, read_text
from core.pretrained.errors import FolderError
from core.pretrained.family import WRITTEN
from core.pretrained.weights import read_json, say_if_pointer

TOKENIZER, ROLES, MORE_ROLES = "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"

PARTS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
"""Parts of a tokenizer besides its model."""

BYTES = "ByteLevel"
"""The library's name for the decoder of a vocabulary of bytes."""

Span = tuple[int, int]

NO_TOKENIZER = (
    "has no tokenizer.json, the file that says how a sentence is cut into tokens. With transformers "
    "installed, this line of Python, run in the folder, writes it: "
    "`from transformers import AutoTokenizer as A; A.from_pretrained('.').save_pretrained('.')`"
)
"""The predicate of a sentence about a folder, with the remedy."""


NO_ROW_FOR_ALL = (
    "has the tokenizer of another model: it puts tokens around every sentence for which the model's table "
    "has no row."
)
"""The predicate of a sentence about a folder whose tokenizer and table differ too much."""


class TextError(ValueError):
    """A text that a tokenizer cannot split; the message says why."""


@dataclass(frozen=True)
class Piece:
    """A piece of a text as the vocabulary writes it, its number, and its place [start:end] in the text.

    `special` pieces are no part of the text.
    """

    text: str
    token: int
    start: int
    end: int
    special: bool


@dataclass(frozen=True)
class Encoded:
    """A text in pieces."""

    pieces: tuple[Piece, ...]

    @property
    def tokens(self) -> Int[Tensor, "1 position"]:
        return torch.tensor([[piece.token for piece in self.pieces]], dtype=torch.long)

    def of(self, spans: Sequence[Span]) -> tuple[tuple[int, ...], ...]:
        """Return the positions of each word's pieces; a piece across a border belongs to both words."""
        own = [(at, piece) for at, piece in enumerate(self.pieces) if not piece.special]
        return tuple(
            tuple(at for at, piece in own if piece.start < end and start < piece.end) for start, end in spans
        )


class PieceTokenizer:
    """The tokenizer of a pretrained model; `special` are the numbers of its special tokens by role.

    Roles are those of transformers: bos, eos, unk, sep, pad, cls and mask. `reserved` are all special tokens.
    A tokenizer that is `in_bytes` writes each byte as a character.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer, special: Mapping[str, int]) -> None:
        # Folders may ask to cut or pad texts to one length, as a training batch needs.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.special = special
        added = tokenizer.get_added_tokens_decoder()
        self.reserved = frozenset(number for number, token in added.items() if token.special)
        self.in_bytes = _in_bytes(tokenizer)

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str, *, special: bool = True) -> Encoded:
        """Return the pieces of a text with the special tokens around; raises TextError."""
        with _failing_as(TextError):
            found = self._tokenizer.encode(text, add_special_tokens=special)
            if len(found) > MOST_OF_TEXT:
                raise TextError(f"it makes {len(found):,} tokens, and at most {MOST_OF_TEXT:,} are read")
            rows = zip(found.ids, found.tokens, found.offsets, found.special_tokens_mask, strict=True)
            return Encoded(
                tuple(
                    Piece(self.piece(token) or written, token, start, end, bool(is_special))
                    for token, written, (start, end), is_special in rows
                )
            )

    def decode(self, tokens: Int[Tensor, "position"], *, special: bool = False) -> str:
        """Return the text of these tokens, without special ones unless requested."""
        return str(self._tokenizer.decode(tokens.tolist(), skip_special_tokens=not special))

    def piece(self, token: int) -> str | None:
        found = self._tokenizer.id_to_token(token)
        return None if found is None else str(found)


def read_tokenizer(folder: Path, usual: Mapping[str, str]) -> PieceTokenizer | None:
    """Return the tokenizer of a folder, None without one; `usual` are the special tokens of its family."""
    path = folder / TOKENIZER
    if not path.is_file():
        return None
    say_if_pointer(path)
    with _failing_as(FolderError, f"{TOKENIZER} cannot be read: "):
        text = read_text(path, MOST_TOKENIZER_BYTES)
        tokenizer = tokenizers.Tokenizer.from_str(text)
    check_steps({name: _settings_of(getattr(tokenizer, name)) for name in PARTS})
    check_lengths(tokenizer.get_vocab(), tokenizer.model)
    found = PieceTokenizer(tokenizer, _special(folder, tokenizer, usual))
    with _failing_as(FolderError, f"{TOKENIZER} cannot be used: "):
        found.encode("")  # reads the pieces that it puts around a text
    return found


@contextmanager
def _failing_as(kind: type[ValueError], before: str = "") -> Iterator[None]:
    """Raise an error of this kind for any failure of the library; its panic is no Exception."""
    try:
        yield
    except FolderError:
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise kind(f"{before}{error}") from error
        raise


def _in_bytes(tokenizer: tokenizers.Tokenizer) -> bool:
    """Return whether the decoder, or one of several, turns pieces back into bytes."""
    decoder = _settings_of(tokenizer.decoder)
    return BYTES in {one["type"] for one in (decoder, *decoder.get("decoders", [])) if one}


def _settings_of(part: Any) -> dict[str, Any]:
    """Return the settings of a part without a vocabulary in `tokenizer.json`; empty if there is none."""
    settings: dict[str, Any] = {} if part is None else json.loads(part.__getstate__())
    return settings


def _special(folder: Path, tokenizer: tokenizers.Tokenizer, usual: Mapping[str, str]) -> dict[str, int]:
    """Return the number of each special token by role; null in a file means that there is none.

    The files of the folder come first, then the tokenizer's own tokens, then the `usual` ones, then those
    marked special.
    """
    unknown = _unknown(tokenizer.model)
    marked = {token.content for token in tokenizer.get_added_tokens_decoder().values() if token.special}
    sources: list[Mapping[str, str | None]] = [
        _named(folder / ROLES),
        _named(folder / MORE_ROLES),
        {"unk": unknown} if unknown else {},
        usual,
        *({role: token for role, token in way.items() if token in marked} for way in WRITTEN),
    ]
    found: dict[str, int | None] = {}
    for source in sources:
        for role, token in source.items():
            number = None if token is None else tokenizer.token_to_id(token)
            if role not in found and (token is None or number is not None):
                found[role] = number
    return {role: number for role, number in found.items() if number is not None}


def _unknown(model: tokenizers.models.Model) -> str | None:
    """Return the tokenizer's piece for unknown text, if any."""
    if isinstance(model, tokenizers.models.Unigram):  # only its whole state has it
        settings = json.loads(model.__getstate__())
        return None if settings["unk_id"] is None else str(settings["vocab"][settings["unk_id"]][0])
    return getattr(model, "unk_token", None)


def _named(path: Path) -> dict[str, str | None]:
    """Return the special tokens that a file names, by their roles."""
    settings = read_json(path) if path.is_file() else {}
    named = {
        name.removesuffix("_token"): token for name, token in settings.items() if name.endswith("_token")
    }
    texts = {
        role: token.get("content") if isinstance(token, dict) else token for role, token in named.items()
    }
    return {role: text for role, text in texts.items() if text is None or isinstance(text, str)}
