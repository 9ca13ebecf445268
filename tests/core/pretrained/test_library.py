"""The models that there are: said before they are loaded, and no more of them in memory than allowed."""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.model.models import EncoderDecoder
from core.pretrained import FolderError, Pretrained, library, read
from core.pretrained.library import LargeModelError, MemoryShortError, about, in_memory, is_large, load_cached
from core.programs import Subject
from core.unavailable import UnavailableError
from tests.core.pretrained.folders import written
from tests.real import D_MLP, D_MODEL, MAX_LEN, N_LAYERS, PIECES, bert_folder, one_model

Free = Callable[[Callable[[], int | None]], None]


@pytest.fixture
def place(no_real_model: Path) -> Path:
    return no_real_model


@pytest.fixture
def one(place: Path) -> Path:
    """A folder with a model, the only one there."""
    bert_folder(place / "one")
    return place / "one"


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Free:
    """Say how much memory is free."""
    return lambda said: monkeypatch.setattr(library, "free_memory", said)


def says(**fields: object) -> Callable[[Path], None]:
    """Change fields in the configuration of a folder."""

    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | fields), "utf-8")

    return change


def becomes(name: str, content: str) -> Callable[[Path], object]:
    """Write something else into a file of a folder."""
    return lambda folder: (folder / name).write_text(content, "utf-8")


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 7\n"
SPOILT: dict[str, Callable[[Path], object]] = {
    "hidden_size must be a whole number of at least 1, got 'x'": says(hidden_size="x"),
    "not known here: a⟨202E⟩b⟨D800⟩": says(**{"a\u202eb\ud800\n": 1}),
    "encoder.layer.0.intermediate.dense.weight must have shape (29, 21)": says(intermediate_size=29),
    "the folder has neither model.safetensors nor": lambda folder: (folder / "model.safetensors").unlink(),
    "model.safetensors is damaged": becomes("model.safetensors", "no tensors"),
    "model.safetensors is a pointer of Git LFS in place of the file: run `git lfs pull`": becomes(
        "model.safetensors", POINTER
    ),
    "tokenizer.json is a pointer of Git LFS": becomes("tokenizer.json", POINTER),
    "config.json is a pointer of Git LFS": becomes("config.json", POINTER),
    "tokenizer.json cannot be read": becomes("tokenizer.json", "{}"),
    "tokenizer_config.json is not JSON": becomes("tokenizer_config.json", "{"),
}


@pytest.mark.parametrize("reason", SPOILT)
def test_a_folder_has_the_same_error_before_and_after_it_is_opened(reason: str, one: Path) -> None:
    assert about(one).lacks == ""
    SPOILT[reason](one)
    for opened in (about, read, load_cached):
        with pytest.raises(FolderError, match=re.escape(reason)):
            opened(one)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("odd"), "reading it failed with RuntimeError: odd"),
        (PermissionError(13, "Permission denied"), "the disk says Permission denied"),
    ],
)
def test_an_error_affects_only_its_folder(
    error: Exception, said: str, one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(folder: Path) -> Pretrained:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(library, "outline_of", failing)
        with pytest.raises(FolderError, match=said):
            about(one)
    assert about(one).family == "BERT", "a temporary error is not kept"


def test_errors_in_the_weights_are_known_after_the_folder_was_opened(one: Path) -> None:
    file = one / "model.safetensors"
    tensors = load_file(file)
    table = tensors["embeddings.word_embeddings.weight"]
    save_file(tensors | {"embeddings.word_embeddings.weight": table * torch.nan}, file)
    assert about(one).family == "BERT"
    for opened in (load_cached, about):
        with pytest.raises(FolderError, match=r"word_embeddings\.weight must hold finite numbers"):
            opened(one)
    save_file(tensors, file)
    assert about(one).family == "BERT"
    assert load_cached(one).stack.config.n_layers == N_LAYERS


@pytest.mark.parametrize(("kind", "scale"), [("bert", 1e4), ("t5", 1e15)])
def test_a_model_in_memory_says_so_when_its_numbers_grow_too_large(
    kind: str, scale: float, place: Path
) -> None:
    written(kind, place / "one")
    file, tokens = place / "one" / "model.safetensors", torch.tensor([[5, 6, 7]])
    save_file({name: one * scale for name, one in load_file(file).items()}, file)
    kept = load_cached(place / "one")
    for model in (kept.stack, kept.variant(replace(kept.stack.config, scale=not kept.stack.config.scale))):
        if scale == 1e4:
            assert model.states(tokens).isfinite().all()
        else:
            with pytest.raises(UnavailableError, match="computes numbers beyond 10¹⁵"):
                model.states(tokens)


def test_nothing_is_read_again_until_a_file_changes(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = about(one)
    monkeypatch.setattr(library, "outline_of", None)
    assert about(one) is known
    (one / "tokenizer.json").unlink()
    with pytest.raises(FolderError, match="failed with TypeError"):
        about(one)


def test_a_model_is_described_before_it_is_loaded(one: Path) -> None:
    known = about(one)
    attention = 4 * (D_MODEL * D_MODEL + D_MODEL)
    mlp = 2 * D_MODEL * D_MLP + D_MODEL + D_MLP
    norms = 4 * D_MODEL
    words = (len(PIECES) + MAX_LEN + 2) * D_MODEL + 2 * D_MODEL
    expected = N_LAYERS * (attention + mlp + norms) + words
    assert (known.family, known.n_parameters, known.in_memory) == ("BERT", expected, 4 * expected)
    assert known.on_disk == (one / "model.safetensors").stat().st_size
    assert not in_memory(one)


def test_the_model_used_least_recently_makes_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [place / name for name in "abc"]
    for folder in folders:
        bert_folder(folder)
    first = load_cached(folders[0])
    load_cached(folders[1])
    assert load_cached(folders[0]) is first
    load_cached(folders[2])
    assert [in_memory(folder) for folder in folders] == [True, False, True]
    for said in ("1", "0", "many", "-3"):
        monkeypatch.setenv(library.KEPT, said)
        assert library.most_kept() == (2 if said in ("many", "-3") else 1)
    monkeypatch.setenv(library.KEPT, "1")
    load_cached(folders[1])
    assert [in_memory(folder) for folder in folders] == [False, True, False]


def test_parallel_requests_share_one_model(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[library.CachedModel] = []
    reads: list[Path] = []
    monkeypatch.setattr(library, "read", lambda folder, **how: reads.append(folder) or read(folder, **how))
    threads = [threading.Thread(target=lambda: found.append(load_cached(one))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reads) == 1
    assert all(each is found[0] for each in found)


def test_a_request_for_a_loaded_model_does_not_wait_for_another_load(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        bert_folder(place / name)
    first, begun, go_on = load_cached(place / "a"), threading.Event(), threading.Event()

    def slow(folder: Path, *, half: bool) -> Pretrained:
        begun.set()
        assert go_on.wait(60)
        return read(folder, half=half)

    monkeypatch.setattr(library, "read", slow)
    other = threading.Thread(target=lambda: load_cached(place / "b"))
    other.start()
    assert begun.wait(60)
    asked = threading.Thread(target=lambda: load_cached(place / "a"))
    asked.start()
    asked.join(60)
    was_waiting = asked.is_alive()
    go_on.set()
    other.join()
    asked.join()
    assert not was_waiting
    assert load_cached(place / "a") is first
    assert in_memory(place / "b")


def test_a_model_that_needs_more_memory_than_is_free_is_not_read(one: Path, free: Free) -> None:
    need = about(one).in_memory
    free(lambda: need - 1)
    with pytest.raises(MemoryShortError, match=r"needs 0\.0 GB of memory, and 0\.0 GB is free"):
        load_cached(one)
    assert not in_memory(one)
    free(lambda: need)
    assert load_cached(one, asked=True).stack.config.n_layers == N_LAYERS


def test_a_model_that_needs_more_than_a_share_of_the_free_memory_is_read_where_it_is_asked_for(
    one: Path, free: Free
) -> None:
    need = about(one).in_memory
    for left, large in (
        (need - 1, False),
        (need, True),
        (2 * need - 1, True),
        (2 * need, False),
        (None, False),
    ):
        free(lambda left=left: left)
        assert is_large(one) == large
    free(lambda: 2 * need - 1)
    with pytest.raises(LargeModelError, match=r"needs 0\.0 GB of the 0\.0 GB of free memory"):
        load_cached(one)
    assert not in_memory(one)
    free(lambda: 2 * need)
    kept = load_cached(one)
    free(lambda: 0)
    assert load_cached(one) is kept


def test_models_leave_one_by_one_for_the_next_but_not_for_an_unreadable_one(
    place: Path, monkeypatch: pytest.MonkeyPatch, free: Free
) -> None:
    monkeypatch.setenv(library.KEPT, "7")
    monkeypatch.setattr(library, "give_back", lambda: None)
    for name in "abcd":
        bert_folder(place / name)
    need = about(place / "a").in_memory
    (place / "d" / "config.json").write_text('{"model_type": "mamba"}')

    def left(room: int = 3 * need) -> int:
        return room - sum(in_memory(place / name) * need for name in "abc")

    load_cached(place / "a")
    free(lambda: need - 1)
    with pytest.raises(LargeModelError):
        load_cached(place / "b")
    free(left)
    load_cached(place / "b", asked=True)
    load_cached(place / "a")
    with pytest.raises(FolderError, match="mamba"):
        load_cached(place / "d")
    assert [in_memory(place / name) for name in "abc"] == [True, True, False]
    free(lambda: left(2 * need))
    load_cached(place / "c", asked=True)
    assert [in_memory(place / name) for name in "abc"] == [True, False, True]


def test_other_switches_share_the_weights_and_a_bounded_number_is_kept(
    one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "VARIANTS", 2)
    kept = load_cached(one)
    configs = [replace(kept.stack.config, positions=name) for name in ("none", "alibi", "sinusoidal")]
    first, second, _ = map(kept.variant, configs)
    assert kept.variant(kept.stack.config) is kept.stack
    assert kept.variant(configs[1]) is second
    assert kept.variant(configs[0]) is not first
    assert first.embed.weight.data_ptr() == kept.stack.embed.weight.data_ptr()
    with pytest.raises(ValueError, match="trained without positions"):
        kept.variant(replace(kept.stack.config, positions="relative"))


def test_of_an_encoder_decoder_the_encoder_reads_and_both_are_counted_where_they_compute(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.mkdir(exist_ok=True)
    theirs = written("bart", place / "one")
    assert library.is_pair(place / "one")
    assert not in_memory(place / "one"), "that is known before"
    unused = 2 * 2 * theirs.config.d_model  # rows of the tables of positions that no position has
    biases = theirs.config.vocab_size  # a parameter of ours, and a buffer of theirs
    expected = sum(parameter.numel() for parameter in theirs.parameters()) - unused + biases
    assert load_cached(place / "one").in_memory == 4 * expected
    one = one_model("real/one")
    assert not one.whole
    subject = Subject(words=("<row 3 of 31>",), config=one.config, source="real/one")
    assert 'name.removeprefix("encoder.")' in subject.shown("forward", "Weights.")

    library.forget_all()
    monkeypatch.setattr(library, "choose_device", lambda: torch.device("meta"))
    kept = load_cached(place / "one")
    model = kept.pretrained.model
    assert isinstance(model, EncoderDecoder)
    assert kept.stack is model.encoder
    assert {parameter.device.type for parameter in model.parameters()} == {"meta"}
    assert not any(parameter.requires_grad for parameter in model.parameters())
