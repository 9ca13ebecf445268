"""A sentence in pieces: each as a reader understands it, and every position in the group of one word."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers, trainers

from core.measures.merging import merge
from core.pretrained import PieceTokenizer
from core.sources.pieces import Pieces, split
from core.sources.spelling import BYTES, readable
from core.text.tokenizer import tokenize
from tests.core.pretrained.test_tokenizer import HARD, MADE, SENTENCES, read_back
from tests.covering import each


def pieces_of(kind: str, text: str, folder: Path) -> Pieces:
    return split(text, read_back(MADE[kind](), folder))


@each("kind", MADE)
def test_every_position_is_in_one_group_and_groups_come_in_order(kind: str, tmp_path: Path) -> None:
    tokenizer = read_back(MADE[kind](), tmp_path)
    for text in [text for text in HARD if text.strip()] + SENTENCES[:3]:
        found = split(text, tokenizer)
        assert sorted(at for group in found.groups for at in group) == list(range(len(found.texts)))
        firsts = [group[0] for group in found.groups]
        assert firsts == sorted(firsts)
        assert len(found.names) == len(found.groups)
        assert len(found.labels) == len(found.texts)
    assert tokenizer.in_bytes == (kind == "byte pairs")


def test_word_pieces_are_shown_as_they_are_and_named_by_the_word_typed(tmp_path: Path) -> None:
    found = pieces_of("word pieces", "Cats don", tmp_path)
    assert found.labels == found.texts
    assert (found.texts[0], found.texts[-1]) == ("[CLS]", "[SEP]")
    assert found.names[:2] == ("[CLS]", "Cats")
    assert found.special == {0, len(found.texts) - 1}


def test_a_special_token_that_is_typed_has_its_own_name_and_is_not_one_of_those_around_the_text(
    tmp_path: Path,
) -> None:
    (tmp_path / "tokenizer_config.json").write_text('{"unk_token": "[UNK]"}', "utf-8")
    found = pieces_of("word pieces", "Cats [MASK] the [SEP][UNK] 東", tmp_path)
    kept = [found.names[at] for at, group in enumerate(found.groups) if set(group) & found.typed]
    assert kept == ["[MASK]", "[SEP]", "[UNK]"]
    assert [found.texts[at] for at in sorted(found.typed)] == kept
    assert [found.texts[at] for at in found.special] == ["[CLS]", "[SEP]"]
    assert not {"[", "MASK", "]"} & set(found.names)
    assert [found.labels[at] for at in found.unknown] == ["東"], (
        "text without a piece was not typed like this"
    )


def test_a_special_token_typed_in_a_vocabulary_of_bytes_is_one_word(tmp_path: Path) -> None:
    made = MADE["byte pairs"]()
    made.add_special_tokens(["<|endoftext|>"])
    found = split("the cat<|endoftext|> the", read_back(made, tmp_path))
    assert found.names == ("the", "cat", "<|endoftext|>", "the")
    assert len(found.typed) == 1
    assert split("the cat", read_back(made, tmp_path)).typed == set()


def test_pieces_of_bytes_that_share_a_letter_differ(tmp_path: Path) -> None:
    found = pieces_of("byte pairs", "ça cat", tmp_path)
    assert found.texts[:2] == ("Ã", "§")
    assert found.labels[:2] == ("⟨C3⟩", "⟨A7⟩")
    assert found.labels[-1] == "␣cat"
    assert found.names == ("ça", "cat")
    assert found.special == set()


def test_a_blank_before_a_word_is_seen(tmp_path: Path) -> None:
    found = pieces_of("unigrams", "the cat", tmp_path)
    assert found.labels[0].startswith("␣")
    assert found.names == ("the", "cat", "</s>")


def test_a_blank_that_is_a_piece_of_its_own_belongs_to_the_word_after_it_or_to_the_last(
    tmp_path: Path,
) -> None:
    found = pieces_of("byte pairs", "the 東 cat ", tmp_path)
    assert found.texts[1] == found.texts[-1] == "Ġ"
    assert found.names == ("the", "東", "cat")
    assert len(found.texts) - 1 in found.groups[-1]
    assert found.groups[1][0] == 1
    assert len(found.groups[1]) == 1 + len("東".encode())


def test_words_that_share_a_piece_are_one_group_with_all_their_text(tmp_path: Path) -> None:
    across = tokenizers.Tokenizer(
        models.Unigram([("<unk>", 0.0), ("saw the", -1.0), (" cat", -1.0)], unk_id=0)
    )
    found = split("saw the cat", read_back(across, tmp_path))
    assert found.texts == ("saw the", " cat")
    assert (found.groups, found.names) == (((0,), (1,)), ("saw the", "cat"))


SIGNS = (
    "the cat Zuko's naïve x**2 f(x): C++ != — “a” ½ ﬁ İ ß é e\u0301 東京 日本の สวัสดีชาวโลก नमस्ते שלום مرحبا "
    "💩💩 👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈"
)
ALPHABET = st.one_of(
    st.sampled_from(
        [*SIGNS, *SIGNS.split(), " ", "  ", "\n", "\t", "\u200b", "\u202e", "[MASK]", "<|endoftext|>"]
    ),
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")),
)
TEXTS = st.lists(ALPHABET, min_size=1, max_size=24).map("".join)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PieceTokenizer]:
    """Tokenizers of words and of bytes, trained on many scripts: some pieces cover several signs."""
    found = {}
    for kind in ("word pieces", "byte pairs", "byte pairs across blanks"):
        one = MADE[kind.removesuffix(" across blanks")]()
        if kind.endswith("blanks"):
            one.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<|endoftext|>"]
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = (
            trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
            if kind == "word pieces"
            else trainers.BpeTrainer(
                vocab_size=500, special_tokens=special, initial_alphabet=alphabet, show_progress=False
            )
        )
        one.train_from_iterator([SIGNS] * 3, trainer)
        found[kind] = read_back(one, tmp_path_factory.mktemp("made"))
    return found


@pytest.mark.long("random texts; chosen ones are named in every run")
@pytest.mark.parametrize("kind", ["word pieces", "byte pairs", "byte pairs across blanks"])
# The first text waits for Hypothesis's table of all characters: 0.6 s, and under load longer than it allows.
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
@example(text="def f(x): return x**2")
@example(text="สวัสดีชาวโลก 💩💩 C++")
@example(text="the [MASK] cat<|endoftext|> ")
def test_names_of_words_together_are_the_text_without_blanks(
    kind: str, text: str, made: dict[str, PieceTokenizer]
) -> None:
    """Words that the tokenizer drops, as BERT's does with signs that are not seen, are no part of it."""
    found = split(text, made[kind])
    own = [
        name for name, group in zip(found.names, found.groups, strict=True) if not found.special & {*group}
    ]
    dropped = kind == "word pieces"
    said, typed = (_plain(one, dropped=dropped) for one in ("".join(own), text))
    if tokenize(text):
        assert said == typed
    assert sorted(at for group in found.groups for at in group) == list(range(len(found.texts)))
    n = len(found.texts)
    if n:
        weights = np.random.default_rng(n).dirichlet(np.ones(n), size=n)
        np.testing.assert_allclose(merge(weights, found.groups).sum(axis=1), 1)


def _plain(text: str, *, dropped: bool) -> str:
    """Return a text in one form (NFC), without spaces, and without invisible signs if they are `dropped`."""
    words = "".join(word.text for word in tokenize(text))
    unseen = ("Cf", "Cc", "Mn", "Zs") if dropped else ()
    letters = unicodedata.normalize("NFD" if dropped else "NFC", words)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in unseen)


@each(
    ("piece", "shown"),
    [
        ("Ġit", "␣it"),
        ("▁it", "␣it"),
        ("ĠĠ", "␣␣"),
        ("##it", "##it"),
        ("aĠb", "aĠb"),
        ("<0xE6>", "⟨E6⟩"),
    ],
)
def test_the_blank_before_a_piece_of_the_vocabulary_is_seen(piece: str, shown: str) -> None:
    assert readable(piece, in_bytes=False) == shown


@each(
    ("raw", "shown"),
    [
        (b" it", "␣it"),
        ("é".encode(), "é"),
        (" né".encode(), "␣né"),
        ("é".encode()[:1], "⟨C3⟩"),
        (b" " + "東".encode()[:2], "␣⟨E6⟩⟨9D⟩"),
        ("東".encode()[2:] + b"a", "⟨B1⟩a"),
        (b"a\n", "a⟨0A⟩"),
        ("⟨C3⟩".encode(), "⟨C3⟩"),
    ],
)
def test_a_piece_of_bytes_is_written_in_letters_and_bytes_that_make_none(raw: bytes, shown: str) -> None:
    signs = {byte: sign for sign, byte in BYTES.items()}
    assert readable("".join(signs[byte] for byte in raw), in_bytes=True) == shown


def test_signs_of_bytes_agree_with_the_tokenizers_library() -> None:
    spelt = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    for letter in "a é東👩\n\t~¡¬®ÿ\xad":
        ((signs, _),) = spelt.pre_tokenize_str(letter)
        assert bytes(BYTES[sign] for sign in signs) == letter.encode()
    assert set(BYTES) == set(pre_tokenizers.ByteLevel.alphabet())
