"""However large, deep or strange the files of a folder are, it is refused with a sentence, at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.pretrained import FolderError, read
from core.pretrained.bounds import MOST_BYTES, MOST_DEPTH, MOST_DIGITS, MOST_TOKENIZER_BYTES
from core.pretrained.errors import LONGEST
from core.pretrained.library import about, is_pair
from core.pretrained.tokenizer import read_tokenizer
from core.pretrained.weights import read_json, read_tensors
from tests.core.pretrained.folders import CASES, saved
from tests.covering import each

CONFIG = "config.json"


def nested(depth: int, begin: str = "[", end: str = "]") -> str:
    """Return lists, or objects, so many levels deep in an object."""
    return '{"a": ' + begin * (depth - 1) + "1" + end * (depth - 1) + "}"


@each(
    ("text", "reason"),
    [
        (nested(200_000), "is nested more than 32 levels deep"),
        (nested(200_000, '{"a": ', "}"), "is nested more than 32 levels deep"),
        (nested(MOST_DEPTH + 1), "is nested more than 32 levels deep"),
        ("[" * 200_000, "is nested more than 32 levels deep"),
        (f'{{"n_layer": {"1" * 5000}}}', "has a number of 5000 digits"),
        (f'{{"n_layer": -{"1" * MOST_DIGITS}}}', f"has a number of {MOST_DIGITS + 1} digits"),
        (f'{{"a": "{"b" * MOST_BYTES}"}}', "is larger than 4 MB"),
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("[]", "must hold an object"),
    ],
)
def test_json_that_no_folder_needs_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(text)
    for take in (lambda folder: read_json(folder / CONFIG), read, about, is_pair):
        with pytest.raises(FolderError, match=f"^config.json {reason}"):
            take(tmp_path)


def test_what_folders_have_is_within_the_bounds(tmp_path: Path) -> None:
    said = {"model_max_length": 1000000000000000019884624838656, "no": 1e999}
    (tmp_path / CONFIG).write_text(json.dumps(said))
    assert read_json(tmp_path / CONFIG) == said
    (tmp_path / CONFIG).write_text(nested(MOST_DEPTH))
    assert read_json(tmp_path / CONFIG).keys() == {"a"}


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
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
    with (tmp_path / "tokenizer.json").open("wb") as file:
        file.truncate(MOST_TOKENIZER_BYTES + 1)
    with pytest.raises(FolderError, match=r"^tokenizer.json is larger than 32 MB$"):
        read_tokenizer(tmp_path)


def test_a_tensor_of_a_shape_that_torch_cannot_have_is_refused(tmp_path: Path) -> None:
    header = json.dumps({"a": {"dtype": "F32", "shape": [0, 2**63], "data_offsets": [0, 0]}}).encode()
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(FolderError, match=r"^model.safetensors is damaged"):
        read_tensors(tmp_path)


LONG_PREFIX = {"type": "Prepend", "prepend": "x" * 65}
TENFOLD = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}


def tokenizer_json(folder: Path, **fields: Any) -> None:
    """Write a tokenizer of two words, with other fields."""
    parts = dict.fromkeys(
        ["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"]
    )
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}
    said = {"version": "1.0", "added_tokens": [], **parts, "model": model, **fields}
    (folder / "tokenizer.json").write_text(json.dumps(said))


@each(
    ("normalizer", "is_refused"),
    [
        (LONG_PREFIX, True),
        ({"type": "Sequence", "normalizers": [TENFOLD] * 7}, True),
        (
            {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [TENFOLD, TENFOLD]}]},
            True,
        ),
        ({"type": "Sequence", "normalizers": [TENFOLD, {"type": "Lowercase"}]}, False),
        (None, False),
    ],
)
def test_a_tokenizer_that_would_fill_the_memory_with_a_text_is_refused(
    normalizer: dict[str, Any] | None, is_refused: bool, tmp_path: Path
) -> None:
    tokenizer_json(tmp_path, normalizer=normalizer)
    if is_refused:
        with pytest.raises(FolderError, match=r"^tokenizer.json may make a text more than 64 times longer$"):
            read_tokenizer(tmp_path)
    else:
        assert read_tokenizer(tmp_path) is not None


def sizes_of(name: str) -> list[str]:
    """Return the fields of a configuration that are sizes."""
    return [field for field, value in CASES[name].fields.items() if type(value) is int]


@pytest.mark.parametrize(
    "name", ["gpt2", "bert", "distilbert", "roberta", "bloom", "bart", "t5-gated", "llama"]
)
def test_every_size_that_is_too_large_is_named(name: str, tmp_path: Path) -> None:
    saved(CASES[name], tmp_path)
    said: dict[str, Any] = json.loads((tmp_path / CONFIG).read_text())
    for field in sizes_of(name):
        for value in (2**24 + 1, 10**18, 10**39):
            (tmp_path / CONFIG).write_text(json.dumps({**said, field: value}))
            with pytest.raises(
                FolderError, match=rf"^config.json: {field} must be at most \d+, got {value}$"
            ):
                read(tmp_path)
        if "layer" in field:
            (tmp_path / CONFIG).write_text(json.dumps({**said, field: 100_000}))
            with pytest.raises(FolderError, match=rf"^config.json: {field} must be at most 256, got 100000$"):
                read(tmp_path)


def test_a_sentence_about_a_folder_has_an_end(tmp_path: Path) -> None:
    saved(CASES["gpt2"], tmp_path)
    said = json.loads((tmp_path / CONFIG).read_text())
    (tmp_path / CONFIG).write_text(json.dumps({**said, **{f"strange_{n}": 1 for n in range(10_000)}}))
    with pytest.raises(FolderError, match="strange_0") as refused:
        read(tmp_path)
    assert len(str(refused.value)) <= LONGEST + 1
