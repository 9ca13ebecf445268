"""However large, deep or strange the files of a folder are, it is refused with a sentence, at once."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from core.pretrained import FolderError, outline_of, read
from core.pretrained.bounds import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_GROWTH,
    MOST_OF_TEXT,
    MOST_TOKENIZER_BYTES,
)
from core.pretrained.errors import LONGEST
from core.pretrained.library import about
from core.pretrained.tokenizer import TextError, read_tokenizer
from core.pretrained.weights import read_json, read_tensors
from tests.core.pretrained.folders import CASES, written
from tests.covering import each
from tests.real import bert_folder

CONFIG = "config.json"


def nested(depth: int, begin: str = "[", end: str = "]") -> str:
    """Return lists, or objects, nested `depth` levels deep in an object."""
    return '{"a": ' + begin * (depth - 1) + "1" + end * (depth - 1) + "}"


@each(
    ("text", "reason"),
    [
        (nested(200_000), "is nested more than 32 levels deep"),
        (nested(MOST_DEPTH + 1), "is nested more than 32 levels deep"),
        (f'{{"n_layer": {"1" * 5000}}}', "has a number of 5000 digits"),
        (f'{{"n_layer": -{"1" * MOST_DIGITS}}}', f"has a number of {MOST_DIGITS + 1} digits"),
        (f'{{"a": "{"b" * MOST_BYTES}"}}', "is larger than 4 MB"),
        ("{", "is not JSON"),
        ("[]", "must hold an object"),
    ],
)
def test_json_that_no_folder_needs_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(text)
    with pytest.raises(FolderError, match=f"^config.json {reason}"):
        read(tmp_path)


def test_real_folders_are_within_the_bounds(tmp_path: Path) -> None:
    said = {"model_max_length": 1000000000000000019884624838656, "no": 1e999}
    (tmp_path / CONFIG).write_text(json.dumps(said))
    assert read_json(tmp_path / CONFIG) == said
    (tmp_path / CONFIG).write_text(nested(MOST_DEPTH))
    assert read_json(tmp_path / CONFIG).keys() == {"a"}


@pytest.mark.parametrize("name", [CONFIG, "tokenizer.json"])
def test_a_mark_before_utf_8_is_passed_over_and_other_encodings_are_refused(
    name: str, tmp_path: Path
) -> None:
    bert_folder(tmp_path / "one")
    path = tmp_path / "one" / name
    text = path.read_text("utf-8")
    path.write_text(text, "utf-8-sig")
    assert about(tmp_path / "one").lacks == ""
    for content in (text.encode("utf-16"), text.encode("utf-32-le"), bytes(100)):
        path.write_bytes(content)
        with pytest.raises(FolderError, match=f"^{name} (is not JSON|cannot be read)"):
            read(tmp_path / "one")


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / CONFIG).mkdir()
    with pytest.raises(FolderError, match=r"^config.json cannot be opened: Is a directory"):
        read_json(tmp_path / CONFIG)
    (tmp_path / "latin.json").write_bytes('{"a": "ä"}'.encode("latin-1"))
    with pytest.raises(FolderError, match="is not JSON"):
        read_json(tmp_path / "latin.json")


def test_a_header_of_weights_and_a_tokenizer_have_bounds(tmp_path: Path) -> None:
    header = b'{"__metadata__": {"a": "' + b"b" * MOST_BYTES + b'"}}'
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(FolderError, match=r"^model.safetensors has a header larger than 1 MB$"):
        read_tensors(tmp_path)
    weights.write_bytes((2**60).to_bytes(8, "little"))
    with pytest.raises(FolderError, match=r"^model.safetensors is damaged"):
        read_tensors(tmp_path)
    header = json.dumps({"a": {"dtype": "F32", "shape": [0, 2**63], "data_offsets": [0, 0]}}).encode()
    weights.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(FolderError, match=r"^model.safetensors is damaged"):
        read_tensors(tmp_path)  # torch has no tensor of this shape
    with (tmp_path / "tokenizer.json").open("wb") as file:
        file.truncate(MOST_TOKENIZER_BYTES + 1)
    with pytest.raises(FolderError, match=r"^tokenizer.json is larger than 32 MB$"):
        read_tokenizer(tmp_path, {})


def tokenizer_json(folder: Path, **fields: Any) -> None:
    """Write a tokenizer of two words, with other fields."""
    parts = dict.fromkeys(
        ["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"]
    )
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}
    said = {"version": "1.0", "added_tokens": [], **parts, "model": model, **fields}
    (folder / "tokenizer.json").write_text(json.dumps(said))


def sequence(name: str, *steps: object) -> dict[str, object]:
    return {"type": "Sequence", name: list(steps)}


def replace(content: str, kind: str = "Regex", pattern: str = "(?=.)|(?<=.)") -> dict[str, object]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def charsmap(text: str) -> dict[str, object]:
    """Return a table of SentencePiece with an empty trie and one text."""
    return {
        "type": "Precompiled",
        "precompiled_charsmap": b64encode(bytes(4) + text.encode() + b"\0").decode(),
    }


def template(single: object, tokens: object, pair: object = None) -> dict[str, object]:
    special = {"[CLS]": {"id": "[CLS]", "ids": [0] * len(tokens), "tokens": tokens}}  # type: ignore[arg-type]
    both = [A, {"Sequence": {"id": "B", "type_id": 1}}]
    return {"type": "TemplateProcessing", "single": single, "pair": pair or both, "special_tokens": special}


A = {"Sequence": {"id": "A", "type_id": 0}}
CLS = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}
DIGITS = {"type": "Digits", "individual_digits": True}
PREPEND = {"type": "Prepend", "prepend": "▁"}
LOWERCASE = {"type": "Lowercase"}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
TENFOLD = replace("a" * 10, "String", "a")
MANY_STEPS = r"must have at most 16 steps, got \d+"
LONGER, AROUND = (
    f"may make a text more than {MOST_GROWTH} times longer",
    r"must put at most 64 tokens around a text",
)
TWICE, BYTES = "puts a text more than once", "turns a text into bytes more than once"
LONG = "a token must have at most 1024 characters"


@each(
    ("part", "said", "reason"),
    [
        ("normalizer", {"type": "Prepend", "prepend": "x" * (MOST_GROWTH + 1)}, LONGER),
        ("normalizer", sequence("normalizers", *[TENFOLD] * 3), LONGER),
        ("normalizer", sequence("normalizers", *[sequence("normalizers", TENFOLD)] * 3), LONGER),
        ("normalizer", sequence("normalizers", *[replace("a")] * 9), LONGER),
        ("normalizer", sequence("normalizers", *[{"type": "NFKD"}, replace("ﷺ", "String", " ")] * 2), LONGER),
        ("normalizer", charsmap("a" * 300), LONGER),
        ("normalizer", sequence("normalizers", *[LOWERCASE] * 100_000), MANY_STEPS),
        ("pre_tokenizer", sequence("pretokenizers", *[BYTE_LEVEL] * 2), BYTES),
        ("pre_tokenizer", sequence("pretokenizers", *[METASPACE] * 9), LONGER),
        ("decoder", sequence("decoders", *[TENFOLD] * 3), LONGER),
        ("post_processor", template([CLS] * 65, ["[CLS]"]), AROUND),
        ("post_processor", template([A, CLS], ["[CLS]"] * 65), AROUND),
        ("post_processor", template([A], ["[CLS]"], pair=[A, CLS] * 65), TWICE),
        ("post_processor", template([A, CLS], ["x" * 1025]), LONG),
        ("post_processor", sequence("processors", *[template([A, CLS], ["[CLS]"] * 9)] * 8), AROUND),
        ("model", {"type": "WordPiece", "max_input_chars_per_word": 10**9}, "max_input_chars_per_word must"),
        ("model", {"type": "WordPiece", "continuing_subword_prefix": "#" * 1025}, LONG),
        ("model", {"type": "WordLevel", "vocab": {"[UNK]": 0, "q" * 1025: 1}}, LONG),
    ],
)
def test_a_tokenizer_that_could_fill_the_memory_is_refused(
    part: str, said: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    if part == "model":
        usual = {"vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}
        piecewise = {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
        said = usual | (piecewise if said["type"] == "WordPiece" else {}) | said
    tokenizer_json(tmp_path, **{part: said})
    with pytest.raises(FolderError, match=f"^tokenizer.json:? ?.*{reason}"):
        read_tokenizer(tmp_path, {})


@each(
    "parts",
    [
        {"normalizer": charsmap("a" * 18)},
        {"normalizer": BERT, "post_processor": template([CLS, A, CLS], ["[CLS]"])},
        {"post_processor": {"type": "RobertaProcessing", "sep": ["[UNK]", 0], "cls": ["[UNK]", 0],
                            "trim_offsets": True, "add_prefix_space": False}},
        {"normalizer": {"type": "NFC"}, "pre_tokenizer": BYTE_LEVEL, "post_processor": BYTE_LEVEL,
         "decoder": BYTE_LEVEL},
        {"normalizer": sequence("normalizers", {"type": "NFKC"}, LOWERCASE, replace("▁", pattern=" {2,}")),
         "pre_tokenizer": METASPACE, "decoder": METASPACE},
        {"pre_tokenizer": sequence("pretokenizers", DIGITS, BYTE_LEVEL),
         "post_processor": sequence("processors", BYTE_LEVEL, template([CLS, A], ["[CLS]"]))},
        {"normalizer": sequence("normalizers", PREPEND, replace("▁", "String", " ")),
         "decoder": sequence("decoders", replace(" ", "String", "▁"), {"type": "ByteFallback"},
                             {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0})},
    ],
)  # fmt: skip
def test_published_tokenizers_are_within_the_bounds(parts: dict[str, Any], tmp_path: Path) -> None:
    tokenizer_json(tmp_path, **parts)
    found = read_tokenizer(tmp_path, {})
    assert found is not None
    assert len(found) == 2


def test_a_text_of_too_many_pieces_is_refused(tmp_path: Path) -> None:
    apart = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
    tokenizer_json(tmp_path, normalizer=TENFOLD, pre_tokenizer=apart)
    found = read_tokenizer(tmp_path, {})
    assert found is not None
    n = MOST_OF_TEXT // 10
    assert len(found.encode("a" * n).pieces) == 10 * n
    with pytest.raises(TextError, match=r"^it makes 65,540 tokens, and at most 65,536 are read$"):
        found.encode("a" * (n + 1))


@pytest.mark.parametrize(
    "name", ["gpt2", "bert", "distilbert", "roberta", "bloom", "bart", "t5-gated", "llama"]
)
def test_every_size_that_is_too_large_is_named(name: str, tmp_path: Path) -> None:
    written(name, tmp_path)
    said: dict[str, Any] = json.loads((tmp_path / CONFIG).read_text())
    for field in (field for field, value in CASES[name].fields.items() if type(value) is int):
        value = 257 if "layer" in field else 2**24 + 1
        (tmp_path / CONFIG).write_text(json.dumps({**said, field: value}))
        with pytest.raises(FolderError, match=rf"^config.json: {field} must be at most \d+, got {value}$"):
            outline_of(tmp_path)


def test_a_sentence_about_a_folder_has_an_end(tmp_path: Path) -> None:
    written("gpt2", tmp_path)
    said = json.loads((tmp_path / CONFIG).read_text())
    (tmp_path / CONFIG).write_text(json.dumps({**said, **{f"strange_{n}": 1 for n in range(10_000)}}))
    with pytest.raises(FolderError, match="strange_0") as refused:
        read(tmp_path)
    assert len(str(refused.value)) <= LONGEST + 1
