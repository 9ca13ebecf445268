"""Text in pieces, each with its place: as transformers has them, and without padding."""

import inspect
import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from core.pretrained import FAMILIES, FolderError
from core.pretrained.tokenizer import PieceTokenizer, TextError, read_tokenizer
from tests.covering import each

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
    """Return a tokenizer like GPT-2's: byte pairs, no special tokens around a text."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        SENTENCES, trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    )
    return made


def word_pieces() -> tokenizers.Tokenizer:
    """Return a tokenizer like BERT's: lower-case word pieces, between two special tokens, padded."""
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
    """Return a tokenizer like T5's: the likeliest pieces, with the space before a word written."""
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
    found = read_tokenizer(folder, {})
    assert found is not None
    return found


@pytest.mark.parametrize("kind", MADE)
def test_every_kind_gives_the_numbers_and_places_of_transformers(kind: str, tmp_path: Path) -> None:
    import transformers

    ours = read_back(MADE[kind](), tmp_path)
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    assert len(ours) == len(theirs)
    for text in HARD:  # neither cut nor filled up, as the folder of word pieces asks for batches
        expected = theirs(text, return_offsets_mapping=True, padding=False, truncation=False)
        found = ours.encode(text)
        assert [piece.token for piece in found.pieces] == expected["input_ids"]
        assert [(piece.start, piece.end) for piece in found.pieces] == expected["offset_mapping"]
        assert [piece.text for piece in found.pieces] == theirs.convert_ids_to_tokens(expected["input_ids"])


def test_special_pieces_are_marked_and_can_be_left_out(tmp_path: Path) -> None:
    tokenizer = read_back(word_pieces(), tmp_path)
    found = tokenizer.encode("The cat")
    assert [(piece.text, piece.special) for piece in found.pieces] == [
        ("[CLS]", True), ("the", False), ("cat", False), ("[SEP]", True),
    ]  # fmt: skip
    assert [piece.text for piece in tokenizer.encode("The cat", special=False).pieces] == ["the", "cat"]
    assert tokenizer.decode(found.tokens[0]) == "the cat"
    assert tokenizer.decode(found.tokens[0], special=True) == "[CLS] the cat [SEP]"


def write(folder: Path, name: str, **said: object) -> None:
    (folder / name).write_text(json.dumps(said), "utf-8")


ALL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}


@pytest.mark.parametrize(
    ("config", "more", "names"),
    [
        ({"do_lower_case": True}, {}, ALL),
        ({"cls_token": {"content": "[CLS]"}, "bos_token": None, "eos_token": "</s>"}, {}, ALL),
        ({"mask_token": None}, {}, {role: name for role, name in ALL.items() if role != "mask"}),
        (
            {"mask_token": "[PAD]"},
            {"mask_token": "[MASK]", "pad_token": {"content": "the"}, "other": [1]},
            ALL | {"mask": "[PAD]", "pad": "the"},
        ),
    ],
)
def test_roles_come_from_the_folder_and_then_from_the_family(
    config: dict[str, object], more: dict[str, object], names: dict[str, str], tmp_path: Path
) -> None:
    word_pieces().save(str(tmp_path / "tokenizer.json"))
    write(tmp_path, "tokenizer_config.json", **config)
    write(tmp_path, "special_tokens_map.json", **more)
    found = read_tokenizer(tmp_path, FAMILIES["bert"].special)
    assert found is not None
    assert {role: found.piece(number) for role, number in found.special.items()} == names
    assert found.piece(999) is None


def test_a_name_that_the_vocabulary_lacks_is_no_role_and_the_tokenizer_knows_what_it_puts_for_the_unknown(
    tmp_path: Path,
) -> None:
    made = tokenizers.Tokenizer(models.WordPiece({"[UNK]": 0, "the": 1}, unk_token="the"))
    made.save(str(tmp_path / "tokenizer.json"))
    for special in ({}, FAMILIES["bert"].special):
        found = read_tokenizer(tmp_path, special)
        assert found is not None
        assert dict(found.special) == {"unk": 1}


@each("kind", ["bert", "roberta", "bart", "gpt2", "qwen2", "t5", "llama"])
def test_the_names_of_a_family_are_those_that_transformers_gives_it(kind: str) -> None:
    import transformers

    theirs = {"gpt2": "GPT2", "t5": "T5"}.get(kind, kind.capitalize())
    parameters = inspect.signature(getattr(transformers, f"{theirs}Tokenizer").__init__).parameters
    names = {
        name.removesuffix("_token"): str(one.default)
        for name, one in parameters.items()
        if name.endswith("_token") and one.default is not None
    }
    assert names.items() <= FAMILIES[kind].special.items()


def test_a_text_without_pieces_is_refused_in_a_sentence(tmp_path: Path) -> None:
    made = tokenizers.Tokenizer(models.WordPiece({"the": 0}, unk_token="[UNK]"))
    found = read_back(made, tmp_path)
    assert [piece.text for piece in found.encode("the").pieces] == ["the"]
    with pytest.raises(TextError, match="Missing"):
        found.encode("cat")


def test_a_special_token_that_only_the_template_has_keeps_its_name_there(tmp_path: Path) -> None:
    made = tokenizers.Tokenizer(models.WordPiece({"[UNK]": 0, "the": 1}, unk_token="[UNK]"))
    made.post_processor = processors.TemplateProcessing(single="$A [END]", special_tokens=[("[END]", 7)])
    pieces = read_back(made, tmp_path).encode("the").pieces
    assert [(piece.text, piece.token) for piece in pieces] == [("the", 1), ("[END]", 7)]


@each(
    "change",
    [
        {"special_tokens": {}},
        {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [], "tokens": ["[CLS]"]}}},
        {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": []}}},
    ],
)
def test_a_tokenizer_that_fails_on_every_text_is_refused(
    change: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("failing")
    said = json.loads(word_pieces().to_str())
    said["post_processor"] |= {"single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}], **change}
    (folder / "tokenizer.json").write_text(json.dumps(said), "utf-8")
    with pytest.raises(FolderError, match=r"tokenizer\.json cannot be (read|used): "):
        read_tokenizer(folder, {})
