"""The models that there are: said before they are loaded, and no more of them in memory than allowed."""

import json
import os
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
from core.pretrained.library import (
    LargeModelError,
    MemoryShortError,
    about,
    in_memory,
    is_large,
    models,
    take,
)
from core.programs import Subject
from core.unavailable import UnavailableError
from tests.core.pretrained.folders import CASES, saved
from tests.real import D_MLP, D_MODEL, MAX_LEN, N_LAYERS, PIECES, bert_folder, one_model


@pytest.fixture
def place(no_real_model: Path) -> Path:
    return no_real_model


def test_models_are_those_of_the_checkout_and_where_the_operator_says(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert models() == {}
    for folder in (place / "b", place / "a", tmp_path / "other" / "c", tmp_path / "other" / "a"):
        bert_folder(folder)
    (place / "empty").mkdir()
    assert list(models()) == ["a", "b"]
    monkeypatch.setenv(library.ELSEWHERE, os.pathsep.join([str(tmp_path / "other"), str(tmp_path / "none")]))
    assert models() == {
        "a": place / "a",
        "b": place / "b",
        "other/a": tmp_path / "other" / "a",
        "c": tmp_path / "other" / "c",
    }
    monkeypatch.setenv(library.ELSEWHERE, str(tmp_path / "other" / "c"))
    assert models()["c"] == tmp_path / "other" / "c"


def config_in(folder: Path) -> Path:
    """Write a folder that looks like one with a model, and return it."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def test_folders_of_one_name_are_told_apart_by_what_is_above_them(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    folders = [config_in(folder / "run" / "checkpoint-500") for folder in (one, other)]
    alone = config_in(one / "run" / "checkpoint-7")
    below = [one / "run", other / "run"]
    monkeypatch.setenv(library.ELSEWHERE, os.pathsep.join(map(str, [*below, below[0]])))
    assert models() == {
        "one/run/checkpoint-500": folders[0],
        "checkpoint-7": alone,
        "other/run/checkpoint-500": folders[1],
    }
    monkeypatch.setenv(library.ELSEWHERE, str(one))
    assert models() == {"checkpoint-500": folders[0], "checkpoint-7": alone}
    own = config_in(place / "checkpoint-500")
    assert models() == {"checkpoint-500": own, "run/checkpoint-500": folders[0], "checkpoint-7": alone}


def test_a_cache_of_the_hub_calls_models_as_the_hub_does(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = tmp_path / "home" / "hub"
    one = config_in(hub / "models--org--tiny" / "snapshots" / "0123456789ab")
    other = config_in(hub / "models--gpt2" / "snapshots" / "cafe")
    (hub / "models--org--tiny" / "refs").mkdir()
    (hub / ".locks" / "models--org--tiny").mkdir(parents=True)
    for named in (hub, hub.parent, one.parent, one.parent.parent, one):
        monkeypatch.setenv(library.ELSEWHERE, str(named))
        assert models()["org/tiny"] == one
        assert set(models()) <= {"org/tiny", "gpt2"}
    monkeypatch.setenv(library.ELSEWHERE, str(hub))
    second = config_in(one.with_name("ffff56789abc"))
    assert models() == {"gpt2": other, "org/tiny@0123456": one, "org/tiny@ffff567": second}


def test_what_belongs_to_a_model_is_no_model_and_a_checkpoint_below_it_is(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = config_in(tmp_path / "out")
    for name in ("1_Pooling", ".cache", "a/b/too-deep"):
        config_in(out / name)
    checkpoint = config_in(out / "checkpoint-5")
    (out / "forbidden").mkdir(mode=0)
    monkeypatch.setenv(library.ELSEWHERE, str(out))
    assert models() == {"out": out, "checkpoint-5": checkpoint}


def test_signs_of_a_name_that_nobody_sees_are_written_as_numbers(place: Path) -> None:
    config_in(place / "safe\u202egpj\n")
    config_in(place / os.fsdecode(b"caf\xe9"))
    config_in(place / "東京-é-🙂")
    assert set(models()) == {"safe⟨202E⟩gpj⟨000A⟩", "caf⟨DCE9⟩", "東京-é-🙂"}


def test_names_that_look_alike_are_counted(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one\u202e", "one⟨202E⟩"):
        config_in(tmp_path / "other" / name)
    monkeypatch.setenv(library.ELSEWHERE, str(tmp_path / "other"))
    assert set(models()) == {"one⟨202E⟩", "one⟨202E⟩ (2)"}


def test_a_place_that_is_named_twice_is_listed_once(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = config_in(place / "a"), config_in(tmp_path / "home" / "b")
    (tmp_path / "link").symlink_to(other.parent)
    monkeypatch.setenv("HOME", str(other.parent))
    named = [str(place), os.path.relpath(place), f"{place}/../models/", "~", str(tmp_path / "link")]
    monkeypatch.setenv(library.ELSEWHERE, os.pathsep.join(named))
    assert models().keys() == {"a", "b"}
    assert models() == {"a": own, "b": other}


def test_a_reason_has_no_sign_that_nobody_sees(place: Path) -> None:
    bert_folder(place / "one")
    says(**{"a\u202eb\ud800\n": 1})(place / "one")
    with pytest.raises(FolderError, match=r"not known here: a⟨202E⟩b⟨D800⟩$"):
        about(place / "one")


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
    "not known here: strange": says(strange=1),
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
    "special_tokens_map.json is not JSON": becomes("special_tokens_map.json", "{"),
}


@pytest.mark.parametrize("reason", SPOILT)
def test_a_folder_says_before_it_is_opened_what_opening_it_says(reason: str, place: Path) -> None:
    folder = place / "one"
    bert_folder(folder)
    assert about(folder).lacks == ""
    SPOILT[reason](folder)
    for opened in (about, read, take):
        with pytest.raises(FolderError, match=re.escape(reason)):
            opened(folder)


def test_whatever_goes_wrong_costs_its_own_folder_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bert_folder(place / "one")
    for error, said in {
        RuntimeError("odd"): "reading it failed with RuntimeError: odd",
        RecursionError("deep"): "reading it failed with RecursionError: deep",
        PermissionError(13, "Permission denied"): "the disk says Permission denied",
    }.items():

        def failing(folder: Path, error: Exception = error) -> Pretrained:
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(library, "outline_of", failing)
            with pytest.raises(FolderError, match=said):
                about(place / "one")
    assert about(place / "one").family == "BERT", "what passes by itself is not kept"


def test_what_the_numbers_say_is_known_once_somebody_has_opened_the_folder(place: Path) -> None:
    saved(CASES["gpt2"], place / "one")
    file = place / "one" / "model.safetensors"
    tensors = load_file(file)
    save_file(tensors | {"lm_head.weight": tensors["transformer.wte.weight"] + 1}, file)
    assert about(place / "one").family == "GPT-2"
    with pytest.raises(FolderError, match=r"lm_head\.weight is not known"):
        take(place / "one")
    with pytest.raises(FolderError, match=r"lm_head\.weight is not known"):
        about(place / "one")
    save_file(tensors, file)
    assert about(place / "one").family == "GPT-2"
    assert take(place / "one").stack.config.n_layers == 2


def test_a_number_that_is_not_finite_is_known_once_somebody_has_opened_the_folder(place: Path) -> None:
    bert_folder(place / "one")
    file = place / "one" / "model.safetensors"
    tensors = load_file(file)
    tensors["embeddings.word_embeddings.weight"][3, 5] = torch.nan
    save_file(tensors, file)
    for opened in (take, about):
        with pytest.raises(FolderError, match=r"word_embeddings\.weight must hold finite numbers"):
            opened(place / "one")


@pytest.mark.parametrize("scale", [1e4, 1e15, 1e37])
@pytest.mark.parametrize("kind", ["bert", "t5"])
def test_a_model_in_memory_says_so_when_its_numbers_grow_too_large(
    kind: str, scale: float, place: Path
) -> None:
    saved(CASES[kind], place / "one")
    kept = take(place / "one")
    tokens = torch.tensor([[5, 6, 7]])
    config = kept.stack.config
    models = [kept.stack, kept.variant(replace(config, scale=not config.scale))]
    assert all(model.states(tokens).isfinite().all() for model in models)
    library.forget_all()
    file = place / "one" / "model.safetensors"
    save_file({name: one * scale for name, one in load_file(file).items()}, file)
    kept = take(place / "one")
    for model in (kept.stack, kept.variant(replace(config, scale=not config.scale))):
        if scale == 1e4:
            assert model.states(tokens).isfinite().all()
        else:
            with pytest.raises(UnavailableError, match="computes numbers beyond 10¹⁵"):
                model.states(tokens)


def test_nothing_is_read_again_until_a_file_changes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bert_folder(place / "one")
    known = about(place / "one")
    monkeypatch.setattr(library, "outline_of", None)
    assert about(place / "one") is known
    (place / "one" / "tokenizer.json").unlink()
    with pytest.raises(FolderError, match="failed with TypeError"):
        about(place / "one")


def test_without_a_tokenizer_the_folder_says_how_to_get_one(place: Path) -> None:
    bert_folder(place / "one")
    (place / "one" / "tokenizer.json").unlink()
    assert about(place / "one").lacks.startswith("has no tokenizer.json")
    assert take(place / "one").pretrained.tokenizer is None


def test_what_a_model_is_is_said_before_it_is_loaded(place: Path) -> None:
    bert_folder(place / "one")
    known = about(place / "one")
    attention = 4 * (D_MODEL * D_MODEL + D_MODEL)
    mlp = 2 * D_MODEL * D_MLP + D_MODEL + D_MLP
    norms = 4 * D_MODEL
    words = (len(PIECES) + MAX_LEN + 2) * D_MODEL + 2 * D_MODEL
    expected = N_LAYERS * (attention + mlp + norms) + words
    assert (known.family, known.n_parameters, known.in_memory) == ("BERT", expected, 4 * expected)
    assert known.on_disk == (place / "one" / "model.safetensors").stat().st_size
    assert not in_memory(place / "one")


def test_a_folder_that_says_nothing_known_is_refused_in_a_sentence(place: Path) -> None:
    bert_folder(place / "one")
    (place / "one" / "config.json").write_text('{"model_type": "mamba"}')
    with pytest.raises(FolderError, match=r"must be one of gpt2, .*, got 'mamba'"):
        about(place / "one")


def test_the_model_used_least_recently_makes_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [place / name for name in "abc"]
    for folder in folders:
        bert_folder(folder)
    first = take(folders[0])
    take(folders[1])
    assert take(folders[0]) is first
    take(folders[2])
    assert [in_memory(folder) for folder in folders] == [True, False, True]
    monkeypatch.setenv(library.KEPT, "1")
    take(folders[1])
    assert [in_memory(folder) for folder in folders] == [False, True, False]


@pytest.mark.parametrize("said", ["0", "many", "-3"])
def test_at_least_one_model_is_kept_whatever_is_said(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(library.KEPT, said)
    assert library.how_many() >= 1


def test_visitors_who_ask_at_once_get_one_model(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bert_folder(place / "one")
    found: list[library.Kept] = []
    reads: list[Path] = []

    def counted(folder: Path) -> Pretrained:
        reads.append(folder)
        return read(folder)

    monkeypatch.setattr(library, "read", counted)
    threads = [threading.Thread(target=lambda: found.append(take(place / "one"))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reads) == 1
    assert all(one is found[0] for one in found)


def test_whoever_wants_a_model_that_is_there_does_not_wait_for_another_to_be_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        bert_folder(place / name)
    first, begun, go_on = take(place / "a"), threading.Event(), threading.Event()

    def slow(folder: Path) -> Pretrained:
        begun.set()
        assert go_on.wait(60)
        return read(folder)

    monkeypatch.setattr(library, "read", slow)
    other = threading.Thread(target=lambda: take(place / "b"))
    other.start()
    assert begun.wait(60)
    asked = threading.Thread(target=lambda: take(place / "a"))
    asked.start()
    asked.join(60)
    was_waiting = asked.is_alive()
    go_on.set()
    other.join()
    asked.join()
    assert not was_waiting
    assert take(place / "a") is first
    assert in_memory(place / "b")


def test_a_folder_that_cannot_be_read_sends_no_other_model_away(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(library.KEPT, "1")
    for name in "ab":
        bert_folder(place / name)
    (place / "b" / "config.json").write_text('{"model_type": "mamba"}')
    take(place / "a")
    with pytest.raises(FolderError):
        take(place / "b")
    assert in_memory(place / "a")


def test_a_model_that_needs_more_memory_than_is_free_is_not_read(place: Path) -> None:
    bert_folder(place / "one")
    need = about(place / "one").in_memory
    with pytest.raises(MemoryShortError, match=r"needs 0\.0 GB of memory, and 0\.0 GB are free"):
        take(place / "one", free=lambda: need - 1)
    assert not in_memory(place / "one")
    assert take(place / "one", asked=True, free=lambda: need).stack.config.n_layers == N_LAYERS


def test_a_model_that_needs_more_than_a_share_of_the_free_memory_is_read_where_it_is_asked_for(
    place: Path,
) -> None:
    bert_folder(place / "one")
    need = about(place / "one").in_memory
    for free, large in {
        need - 1: False,
        need: True,
        2 * need - 1: True,
        2 * need: False,
        None: False,
    }.items():
        assert is_large(place / "one", free=lambda free=free: free) == large
    with pytest.raises(LargeModelError, match=r"needs 0\.0 GB of the 0\.0 GB of memory that are free"):
        take(place / "one", free=lambda: 2 * need - 1)
    assert not in_memory(place / "one")
    assert take(place / "one", free=lambda: 2 * need) is take(place / "one", free=lambda: 0)


def test_the_memory_of_the_model_that_leaves_counts_as_free(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(library.KEPT, "1")
    for name in "ab":
        bert_folder(place / name)
    need = about(place / "b").in_memory
    assert take(place / "a").in_memory == need
    with pytest.raises(LargeModelError):
        take(place / "b", free=lambda: need - 1)
    assert in_memory(place / "a"), "nobody leaves for a question"
    take(place / "b", free=lambda: need)
    assert not in_memory(place / "a")


def test_other_switches_share_the_weights_and_change_nothing_in_them(place: Path) -> None:
    bert_folder(place / "one")
    kept = take(place / "one")
    before = {name: value.clone() for name, value in kept.stack.named_parameters()}
    other = kept.variant(replace(kept.stack.config, positions="none", n_layers=1))
    assert kept.variant(kept.stack.config) is kept.stack
    assert kept.variant(other.config) is other
    assert other.embed.weight.data_ptr() == kept.stack.embed.weight.data_ptr()
    tokens = torch.tensor([[2, 5, 6, 3]])
    assert not torch.equal(other(tokens), kept.stack(tokens))
    assert all(torch.equal(before[name], value) for name, value in kept.stack.named_parameters())
    with pytest.raises(ValueError, match="trained without positions"):
        kept.variant(replace(kept.stack.config, positions="relative"))


def test_only_so_many_ablations_of_a_model_are_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "VARIANTS", 2)
    bert_folder(place / "one")
    kept = take(place / "one")
    configs = [replace(kept.stack.config, positions=name) for name in ("none", "alibi", "sinusoidal")]
    first, second, _ = map(kept.variant, configs)
    assert kept.variant(configs[1]) is second
    assert kept.variant(configs[0]) is not first


def test_of_an_encoder_decoder_the_encoder_is_kept(place: Path) -> None:
    place.mkdir(exist_ok=True)
    saved(CASES["bart"], place / "one")
    kept = take(place / "one")
    assert isinstance(kept.pretrained.model, EncoderDecoder)
    assert kept.stack is kept.pretrained.model.encoder
    one = one_model("real/one")
    assert not one.whole
    subject = Subject(words=("<row 3 of 31>",), config=one.config, source="real/one")
    assert 'name.removeprefix("encoder.")' in subject.shown("forward", "Weights.")


def test_models_leave_one_by_one_until_there_is_memory_for_the_next(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(library.KEPT, "7")
    for name in "abc":
        bert_folder(place / name)
    need = about(place / "a").in_memory

    def free() -> int:
        return 3 * need - sum(in_memory(place / name) * need for name in "abc")

    take(place / "a", free=free)
    take(place / "b", asked=True, free=free)
    take(place / "a", free=free)
    monkeypatch.setattr(library, "give_back", lambda: None)
    take(place / "c", asked=True, free=lambda: free() - need)
    assert [in_memory(place / name) for name in "abc"] == [True, False, True]


def test_of_an_encoder_decoder_both_are_counted_and_where_it_computes(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = saved(CASES["bart"], place / "pair")
    assert library.is_pair(place / "pair")
    assert not in_memory(place / "pair"), "that is known before"
    unused = 2 * 2 * theirs.config.d_model  # rows of the tables of positions that no position has
    biases = theirs.config.vocab_size  # a parameter of ours, and a buffer of theirs
    expected = sum(parameter.numel() for parameter in theirs.parameters()) - unused + biases
    assert take(place / "pair").in_memory == 4 * expected
    library.forget_all()
    monkeypatch.setattr(library, "choose_device", lambda: torch.device("meta"))
    kept = take(place / "pair")
    model = kept.pretrained.model
    assert isinstance(model, EncoderDecoder)
    assert kept.stack is model.encoder
    assert {parameter.device.type for parameter in model.parameters()} == {"meta"}
    assert not any(parameter.requires_grad for parameter in model.parameters())
