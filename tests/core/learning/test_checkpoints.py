"""A model comes back from disk as it went, knows about itself, and can have parts taken out."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save as tensors_alone

from core.learning.checkpoints import Config, DamagedError, build, load, read_record, round_to_half, save
from core.learning.training import Recipe
from core.model.classifier import ClassifierConfig
from core.model.config import POSITIONS, ModelConfig, PairConfig, Positions
from core.model.recurrent import RecurrentConfig
from core.model.recurrent_pair import RecurrentPairConfig
from tests.core.references import noisy
from tests.covering import each
from tests.full_disk import full_disk
from tests.records import record_of

LIMIT = 1024
TRANSFORMER = ModelConfig(vocab_size=11, d_model=12, n_heads=3, max_len=7, tied=True)
LSTM = RecurrentConfig(vocab_size=11, d_model=5, n_layers=2)
PAIR = PairConfig(encoder=replace(TRANSFORMER, vocab_size=13, mask="bidirectional"), decoder=TRANSFORMER)
LSTM_PAIR = RecurrentPairConfig(source_vocab_size=13, vocab_size=11, attention="additive", d_model=5)
TOKENS = torch.tensor([[3, 1, 4, 1, 5]])


KNOWN = {"recipe": Recipe(steps=17, seed=5), "accuracies": {"agreement 1–2": 0.75}}


def saved(folder: Path, config: Config) -> tuple[Path, torch.nn.Module]:
    """Return a noisy model of `config`, as it was written and where."""
    model = noisy(build(config), dtype=torch.float32)
    save(folder / "model.safetensors", model, record_of(config, **KNOWN))
    return folder / "model.safetensors", round_to_half(model)


CLASSIFIERS = [
    ClassifierConfig(encoder=encoder, pooling=pooling, n_labels=3)
    for encoder, pooling in ((PAIR.encoder, "last state"), (LSTM, "mean"))
]


@each("config", [TRANSFORMER, LSTM, PAIR, LSTM_PAIR, *CLASSIFIERS])
def test_a_model_comes_back_with_its_weights_rounded_and_its_record_whole(
    tmp_path: Path, config: Config
) -> None:
    path, model = saved(tmp_path, config)
    again, given = load(path), (TOKENS, TOKENS) if config in (PAIR, LSTM_PAIR) else TOKENS
    assert read_record(path) == record_of(config, **KNOWN)
    torch.testing.assert_close(again(given), model(given), rtol=0, atol=0)
    assert not again.training
    assert not any(parameter.requires_grad for parameter in again.parameters())
    assert {parameter.dtype for parameter in again.parameters()} == {torch.float32}


def test_a_checkpoint_is_safetensors_at_half_precision_with_shared_tables_once(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, TRANSFORMER)
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, not a mapping
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    assert "embed.weight" in tensors
    assert "unembed.weight" not in tensors
    assert path.stat().st_size < 2 * sum(tensor.numel() for tensor in tensors.values()) + 4500
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]


@each(
    ("positions", "fields"),
    [
        (positions, ({"n_layers": 1}, {"scale": False}, {"residual": False}, {"mlp": False})[at % 4])
        for at, positions in enumerate(POSITIONS)
    ],
)
def test_an_ablation_keeps_every_weight_it_has_a_place_for(
    tmp_path: Path, positions: Positions, fields: dict[str, object]
) -> None:
    config = replace(TRANSFORMER, positions=positions)
    path, model = saved(tmp_path, config)
    ablation = load(path, config=replace(config, **fields))
    kept, trained = dict(ablation.named_parameters()), dict(model.named_parameters())
    assert all(torch.equal(parameter, trained[name]) for name, parameter in kept.items())
    assert all(name.startswith("blocks.1.") or ".mlp" in name for name in trained.keys() - kept.keys())
    assert not torch.equal(ablation(TOKENS), model(TOKENS))


def test_weights_that_were_never_trained_are_refused_by_name(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, TRANSFORMER)
    with pytest.raises(ValueError, match=r"model\.safetensors was trained without .*blocks\.2\.attention"):
        load(path, config=replace(TRANSFORMER, n_layers=3))


def test_a_full_disk_is_an_error_and_keeps_the_former_file(tmp_path: Path) -> None:
    path, model = saved(tmp_path, TRANSFORMER)
    before = path.read_bytes()
    assert len(before) > LIMIT

    with full_disk(LIMIT), pytest.raises(OSError, match=path.name):
        save(path, model, read_record(path))

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


DAMAGES = {
    "empty": lambda whole: b"",
    "a header cut short": lambda whole: whole[:100],
    "weights cut short": lambda whole: whole[:-1],
    "half of it": lambda whole: whole[: len(whole) // 2],
    "something else": lambda whole: b"<!doctype html>" * 50,
    "zeros": lambda whole: bytes(len(whole)),
    "a field that is no JSON": lambda whole: whole.replace(b"next word", b'next \\"ord'),
    "no record": lambda whole: tensors_alone({"embed.weight": torch.ones(2, 3)}),
    "another field": lambda whole: whole.replace(b"weight_decay", b"weight_dacay"),
    "a width of nothing": lambda whole: whole.replace(b'd_model\\": 12', b'd_model\\": -1'),
}


@each("damage", DAMAGES)
def test_a_damaged_file_is_named_and_never_taken_for_a_model(tmp_path: Path, damage: str) -> None:
    path, _ = saved(tmp_path, TRANSFORMER)
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    assert path.read_bytes() != whole
    for reading in (read_record, load):
        with pytest.raises(DamagedError, match=r"model\.safetensors is damaged"):
            reading(path)
        with pytest.raises(FileNotFoundError):
            reading(tmp_path / "missing.safetensors")
