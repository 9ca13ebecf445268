"""Text into the pieces of a pretrained vocabulary, as a folder's `tokenizer.json` says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tokenizers
import torch
from jaxtyping import Int
from torch import Tensor

from core.pretrained.bounds import MOST_TOKENIZER_BYTES, check_growth, check_size
from core.pretrained.errors import FolderError
from core.pretrained.weights import read_json

TOKENIZER, ROLES = "tokenizer.json", "tokenizer_config.json"

BYTES = "ByteLevel"
"""What the library calls the decoder of a vocabulary of bytes."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A piece of a text as the vocabulary writes it, its number there, and where in the text it stands.

    It is the text's [start:end]; several pieces of one character, such as an emoji's bytes, all have its
    place. `special` pieces are no part of the text; `type` is 1 in the second of two texts.
    """

    text: str
    token: int
    start: int
    end: int
    special: bool
    type: int


@dataclass(frozen=True)
class Encoded:
    """A text, or two, in pieces."""

    pieces: tuple[Piece, ...]

    @property
    def tokens(self) -> Int[Tensor, "1 position"]:
        """What the model is called with."""
        return torch.tensor([[piece.token for piece in self.pieces]], dtype=torch.long)

    @property
    def types(self) -> Int[Tensor, "1 position"]:
        """The text, of two, to which each piece belongs: the model's `types`, where it has any."""
        return torch.tensor([[piece.type for piece in self.pieces]], dtype=torch.long)

    def of(self, spans: Sequence[Span]) -> tuple[tuple[int, ...], ...]:
        """The positions of the pieces of each word of the first text, by where the words start and end.

        A piece that crosses the border of two words belongs to both.
        """
        own = [(at, piece) for at, piece in enumerate(self.pieces) if not piece.special and piece.type == 0]
        return tuple(
            tuple(at for at, piece in own if piece.start < end and start < piece.end) for start, end in spans
        )


class PieceTokenizer:
    """The tokenizer of a pretrained model; `special` are the numbers of its special tokens by their role.

    Roles are those of `tokenizer_config.json`: bos, eos, unk, sep, pad, cls and mask. `reserved` are the
    numbers of all special tokens, whether they have a role or not. One that is `in_bytes` has a vocabulary of
    bytes, each written as a sign.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer, special: Mapping[str, int]) -> None:
        # Folders may ask for texts to be cut or filled up to one length, as a batch in training needs.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.special = MappingProxyType(dict(special))
        added = tokenizer.get_added_tokens_decoder()
        self.reserved = frozenset(number for number, token in added.items() if token.special)
        self.in_bytes = _in_bytes(tokenizer)

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str, second: str | None = None, *, special: bool = True) -> Encoded:
        """The pieces of a text, or of two; with those that the model expects around them unless told."""
        found = self._tokenizer.encode(text, second, add_special_tokens=special)
        places = zip(found.ids, found.offsets, found.special_tokens_mask, found.type_ids, strict=True)
        return Encoded(
            tuple(
                Piece(self.piece(token), token, start, end, bool(is_special), kind)
                for token, (start, end), is_special, kind in places
            )
        )

    def decode(self, tokens: Int[Tensor, "position"], *, special: bool = False) -> str:
        """The text of these tokens, special ones left out unless asked for."""
        return str(self._tokenizer.decode(tokens.tolist(), skip_special_tokens=not special))

    def piece(self, token: int) -> str:
        """A token as the vocabulary writes it; raises KeyError for a number it does not have."""
        found = self._tokenizer.id_to_token(token)
        if found is None:
            raise KeyError(f"the vocabulary has {len(self)} pieces, and none with the number {token}")
        return str(found)


def read_tokenizer(folder: Path) -> PieceTokenizer | None:
    """The tokenizer of a folder, None where it has none; raises FolderError."""
    path = folder / TOKENIZER
    if not path.is_file():
        return None
    check_size(path, MOST_TOKENIZER_BYTES)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more exact
        raise FolderError(f"{TOKENIZER} cannot be read: {error}") from error
    check_growth(_said(tokenizer.normalizer))
    return PieceTokenizer(tokenizer, _special(folder / ROLES, tokenizer))


def _in_bytes(tokenizer: tokenizers.Tokenizer) -> bool:
    """Return whether pieces are made back into text as bytes, by the only decoder or by one of several."""
    decoder = _said(tokenizer.decoder)
    return BYTES in {one["type"] for one in (decoder, *decoder.get("decoders", [])) if one}


def _said(part: Any) -> dict[str, Any]:
    """Return what `tokenizer.json` says of a part that has no vocabulary; empty if there is none."""
    said: dict[str, Any] = {} if part is None else json.loads(part.__getstate__())
    return said


def _special(path: Path, tokenizer: tokenizers.Tokenizer) -> dict[str, int]:
    """The number of each special token that a folder names, by its role."""
    if not path.is_file():
        return {}
    said = {
        name.removesuffix("_token"): token.get("content") if isinstance(token, dict) else token
        for name, token in read_json(path).items()
        if name.endswith("_token") and token
    }
    numbers = {role: tokenizer.token_to_id(token) for role, token in said.items() if isinstance(token, str)}
    return {role: number for role, number in numbers.items() if number is not None}
