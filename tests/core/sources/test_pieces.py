"""A sentence in pieces: each as a reader understands it, and every position in the group of one word."""

from pathlib import Path
from unicodedata import normalize

import tokenizers
from tokenizers import models, pre_tokenizers

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
        if kind == "byte pairs":
            assert "".join(found.names) == normalize("NFC", "".join(word.text for word in tokenize(text)))
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


@each(
    ("piece", "shown"),
    [("Ġit", "␣it"), ("▁it", "␣it"), ("ĠĠ", "␣␣"), ("##it", "##it"), ("aĠb", "aĠb"), ("<0xE6>", "⟨E6⟩")],
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
