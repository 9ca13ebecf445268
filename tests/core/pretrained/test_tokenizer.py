"""Text in pieces, each with its place: as transformers has them, and without padding."""

from pathlib import Path

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from core.pretrained.tokenizer import PieceTokenizer, read_tokenizer
from core.text.tokenizer import tokenize

SENTENCES = [
    "the cat sat on the mat",
    "cats that sat on mats",
    "a dog saw the cat and the mat",
    "naïve café 😀",
] * 3

HARD = [
    "I don't think the animal didn't cross the street because it was too tired, did it?",
    "Zażółć gęślą jaźń, naïve café — “quoted”…",
    "👩‍👩‍👧 😀🏳️‍🌈 is\tone\nemoji",
    "שלום עולם, مرحبا بالعالم",
    "def f(x): return x**2  # code",
    "Donaudampfschifffahrtsgesellschaftskapitän antidisestablishmentarianism",
    "東京は日本の首都です。",
    "   ",
    "",
]


def byte_pairs() -> tokenizers.Tokenizer:
    """As GPT-2's: pairs of bytes, no special tokens around a text."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        SENTENCES, trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    )
    return made


def word_pieces() -> tokenizers.Tokenizer:
    """As BERT's: pieces of words in lower case, between two special tokens, filled up to a length."""
    made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made.train_from_iterator(
        SENTENCES, trainers.WordPieceTrainer(vocab_size=60, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(one, made.token_to_id(one)) for one in ("[CLS]", "[SEP]")],
    )
    made.enable_padding(length=29)
    made.enable_truncation(5)
    return made


def unigrams() -> tokenizers.Tokenizer:
    """As T5's: the likeliest pieces, with the blank before a word written."""
    made = tokenizers.Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.train_from_iterator(
        SENTENCES,
        trainers.UnigramTrainer(
            vocab_size=60, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False
        ),
    )
    made.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return made


MADE = {"byte pairs": byte_pairs, "word pieces": word_pieces, "unigrams": unigrams}


def read_back(made: tokenizers.Tokenizer, folder: Path) -> PieceTokenizer:
    made.save(str(folder / "tokenizer.json"))
    found = read_tokenizer(folder)
    assert found is not None
    return found


@pytest.mark.parametrize("text", HARD)
@pytest.mark.parametrize("kind", MADE)
def test_every_kind_gives_the_numbers_and_places_of_transformers(
    kind: str, text: str, tmp_path: Path
) -> None:
    import transformers

    ours = read_back(MADE[kind](), tmp_path)
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    expected = theirs(text, return_offsets_mapping=True, padding=False, truncation=False)
    found = ours.encode(text)
    assert [piece.token for piece in found.pieces] == expected["input_ids"]
    assert [(piece.start, piece.end) for piece in found.pieces] == expected["offset_mapping"]
    assert [piece.text for piece in found.pieces] == theirs.convert_ids_to_tokens(expected["input_ids"])
    assert len(ours) == len(theirs)


def test_a_text_is_neither_cut_nor_filled_up_as_a_folder_asks_for_batches(tmp_path: Path) -> None:
    pieces = read_back(word_pieces(), tmp_path).encode("the cat sat on the mat and sat").pieces
    assert "[PAD]" not in [piece.text for piece in pieces]
    assert [piece.text for piece in pieces][-1] == "[SEP]"
    assert pieces[-2].end == 30


def test_special_pieces_are_marked_and_can_be_left_out(tmp_path: Path) -> None:
    tokenizer = read_back(word_pieces(), tmp_path)
    found = tokenizer.encode("The cat")
    assert [(piece.text, piece.special) for piece in found.pieces] == [
        ("[CLS]", True), ("the", False), ("cat", False), ("[SEP]", True),
    ]  # fmt: skip
    assert [piece.text for piece in tokenizer.encode("The cat", special=False).pieces] == ["the", "cat"]
    assert tokenizer.decode(found.tokens[0]) == "the cat"
    assert tokenizer.decode(found.tokens[0], special=True) == "[CLS] the cat [SEP]"


def test_the_second_of_two_texts_is_of_another_type(tmp_path: Path) -> None:
    found = read_back(word_pieces(), tmp_path).encode("the cat", "a mat")
    assert found.tokens.shape == found.types.shape == (1, len(found.pieces))
    assert found.types[0].tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_every_word_has_its_pieces_and_special_ones_belong_to_none(tmp_path: Path) -> None:
    text = "The dogs sat"
    spans = [(token.start, token.end) for token in tokenize(text)]
    found = read_back(word_pieces(), tmp_path).encode(text)
    words = found.of(spans)
    assert ["".join(found.pieces[at].text.removeprefix("##") for at in word) for word in words] == [
        "the", "dogs", "sat",
    ]  # fmt: skip
    assert len(words[1]) > 1
    assert sorted(at for word in words for at in word) == list(range(1, len(found.pieces) - 1))


def test_all_bytes_of_an_emoji_have_its_place_and_belong_to_its_word(tmp_path: Path) -> None:
    text = "the 🙂 sat"
    found = read_back(byte_pairs(), tmp_path).encode(text)
    words = found.of([(token.start, token.end) for token in tokenize(text)])
    assert len(words[1]) > 1
    assert {(found.pieces[at].start, found.pieces[at].end) for at in words[1]} <= {(3, 5), (4, 5)}
    assert read_back(byte_pairs(), tmp_path).decode(found.tokens[0]) == text


def test_roles_of_special_tokens_are_those_that_the_folder_names(tmp_path: Path) -> None:
    word_pieces().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text(
        '{"mask_token": "[MASK]", "cls_token": {"content": "[CLS]"}, "bos_token": null,'
        ' "eos_token": "</s>", "add_prefix_space": true}',
        "utf-8",
    )
    found = read_tokenizer(tmp_path)
    assert found is not None
    assert dict(found.special) == {"mask": 4, "cls": 2}
    assert [found.piece(token) for token in found.special.values()] == ["[MASK]", "[CLS]"]
    with pytest.raises(KeyError, match=r"the vocabulary has \d+ pieces, and none with the number 999"):
        found.piece(999)
