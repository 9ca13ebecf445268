"""A sentence as a pretrained model reads it: in pieces of its vocabulary, and which of them make a word."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.pretrained import Piece, PieceTokenizer
from core.pretrained.tokenizer import Span
from core.sources.spelling import BEGINS_WORD, BLANK, CONTINUES, FALLBACK, readable
from core.text.tokenizer import tokenize


@dataclass(frozen=True)
class Pieces:
    """A sentence in pieces. Every position belongs to one of `groups`, whose `names` are the text they cover.

    Together the names are the sentence without its blanks, as far as the tokenizer keeps every word. `texts`
    are the pieces as the vocabulary has them, which is what the model reads, `tokens` their numbers, and
    `labels` the pieces as a reader understands them. Special tokens and signs that are no word have a group
    of their own; `special` are the positions of those that the model expects around a text, `typed` of those
    that stand in the text, and `unknown` those where the vocabulary has no piece that fits. It is one of
    bytes if `in_bytes`.
    """

    texts: tuple[str, ...]
    tokens: tuple[int, ...]
    labels: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    special: frozenset[int]
    unknown: tuple[int, ...]
    typed: frozenset[int] = frozenset()
    in_bytes: bool = False

    def readable(self, piece: str) -> str:
        """Any piece of the vocabulary as a reader understands it, in no text."""
        return readable(piece, in_bytes=self.in_bytes)


def split(text: str, tokenizer: PieceTokenizer) -> Pieces:
    """Return the pieces of a text, with the special tokens that the model expects around them.

    Words that share a piece are one group: `f(x):` has the piece `):` for two signs.
    """
    encoded = tokenizer.encode(text)
    pieces = encoded.pieces
    labels = tuple(_label(piece, text, in_bytes=tokenizer.in_bytes) for piece in pieces)
    typed = frozenset(at for at, piece in enumerate(pieces) if _is_typed(piece, text, tokenizer))
    words = _words(text, [(pieces[at].start, pieces[at].end) for at in sorted(typed)])
    owners, covered = _owners(words, encoded.of(words))
    # A piece of no word is its own owner, called by a number below 0.
    owners |= {at: -1 - at for at in typed}
    _give_blanks_away(owners, pieces, text)
    groups: dict[int, list[int]] = {}
    for at in range(len(pieces)):
        groups.setdefault(owners.get(at, -1 - at), []).append(at)
    names = (
        unicodedata.normalize("NFC", text[slice(*covered[owner])]) if owner >= 0 else labels[-1 - owner]
        for owner in groups
    )
    special = frozenset(at for at, piece in enumerate(pieces) if piece.special)
    unknown, known = tokenizer.special.get("unk"), special | typed
    return Pieces(
        texts=tuple(piece.text for piece in pieces),
        tokens=tuple(piece.token for piece in pieces),
        labels=labels,
        groups=tuple(map(tuple, groups.values())),
        names=tuple(names),
        special=special,
        unknown=tuple(at for at, piece in enumerate(pieces) if piece.token == unknown and at not in known),
        typed=typed,
        in_bytes=tokenizer.in_bytes,
    )


def _is_typed(piece: Piece, text: str, tokenizer: PieceTokenizer) -> bool:
    """Return whether this is a special token that is spelt out in the text.

    What no piece fits becomes one too, which is spelt otherwise there.
    """
    is_spelt = text[piece.start : piece.end].strip() == piece.text
    return not piece.special and piece.token in tokenizer.reserved and is_spelt


def _words(text: str, typed: Sequence[Span]) -> list[Span]:
    """Return where the words of a text stand, without those inside special tokens that are typed.

    The signs of such a token would be words of their own: `[MASK]` three.
    """
    starts, ends = [0, *(end for _, end in typed)], [*(start for start, _ in typed), len(text)]
    return [
        (start + word.start, start + word.end)
        for start, end in zip(starts, ends, strict=True)
        for word in tokenize(text[start:end])
    ]


def _owners(
    words: Sequence[Span], positions: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, Span]]:
    """Return the word that each position belongs to, and the part of the text that each such word stands for.

    Words that share a piece belong together, and the first of them stands for all.
    """
    owners: dict[int, int] = {}
    covered: dict[int, Span] = {}
    for word, (span, own) in enumerate(zip(words, positions, strict=True)):
        if own:
            first = min((owners[at] for at in own if at in owners), default=word)
            owners |= dict.fromkeys(own, first)
            covered[first] = covered.get(first, span)[0], span[1]
    return owners, covered


def _give_blanks_away(owners: dict[int, int], pieces: Sequence[Piece], text: str) -> None:
    """Give a piece that is a blank alone to the next word: vocabularies have it before a word as part of it.

    Without a next word it belongs to the one before.
    """
    blank = [
        at
        for at, piece in enumerate(pieces)
        if not piece.special and not tokenize(text[piece.start : piece.end])
    ]
    for nearby, ordered in ((1, reversed(blank)), (-1, blank)):
        for at in ordered:
            if at not in owners and at + nearby in owners:
                owners[at] = owners[at + nearby]


def _label(piece: Piece, text: str, *, in_bytes: bool) -> str:
    """Return a piece for a reader: one that is not spelt as in the text is shown as it stands there.

    Pieces of bytes are spelt out, for several of them can share one letter of the text.
    """
    if piece.special:
        return piece.text
    if in_bytes or FALLBACK.fullmatch(piece.text):
        return readable(piece.text, in_bytes=in_bytes)
    lead = BLANK if piece.text.startswith(BEGINS_WORD) else CONTINUES * piece.text.startswith(CONTINUES)
    own, typed = (
        piece.text.removeprefix(CONTINUES).lstrip("".join(BEGINS_WORD)),
        text[piece.start : piece.end],
    )
    return lead + (own if _plain(own) == _plain(typed) else typed.strip())


def _plain(text: str) -> str:
    """`text` without what some tokenizers take away: capitals and accents."""
    letters = unicodedata.normalize("NFKD", text.strip()).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
