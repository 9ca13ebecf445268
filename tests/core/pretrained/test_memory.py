"""The memory that a folder takes: numbers in single precision are not copied, and others one at a time."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from core.model.models import EncoderDecoder
from core.pretrained import Pretrained, read, weights
from core.pretrained.errors import ReplacedError
from core.pretrained.library import about, forget_all, load_cached
from tests.core.pretrained.folders import CASES, saved, tokens_of, written

FILE = "model.safetensors"

linux = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux lists mappings")


def mappings(file: Path) -> Iterator[range]:
    """Yield the addresses at which a file is mapped into this process."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, *_, path = line.split(maxsplit=5)
        if path == str(file):
            start, end = (int(one, 16) for one in addresses.split("-"))
            yield range(start, end)


def copied(found: Pretrained, file: Path) -> set[str]:
    """Return the modules of a layer, and others, whose parameters do not lie in the mapping of their file."""
    places = list(mappings(file))
    return {
        name.removeprefix("blocks.0.")
        for name, parameter in found.model.named_parameters()
        if not any(parameter.data_ptr() in place for place in places) and "blocks.1." not in name
    }


@linux
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama", {"attention.query.weight", "attention.key.weight"}),
        ("bert", set()),
        (
            "gpt2",
            {f"attention.{part}.weight" for part in ("query", "key", "value", "output")}
            | {"mlp.expand.weight", "mlp.contract.weight"},
        ),
    ],
)
def test_numbers_in_single_precision_are_copied_only_to_reorder_them(
    name: str, expected: set[str], tmp_path: Path
) -> None:
    written(name, tmp_path)
    found = read(tmp_path)
    assert copied(found, tmp_path / FILE) == expected
    assert len(list(mappings(tmp_path / FILE))) == 1


MEASURED = """
import sys
from pathlib import Path
from core.pretrained import read

def megabytes(name):
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024

read(sys.argv[2])  # which loads what the first reading loads
before = megabytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")
model = read(sys.argv[1]).model
numbers = sum(parameter.numel() for parameter in model.parameters()) * 4 / 2**20
print(megabytes("VmHWM") - before - numbers, numbers)
"""
"""Print by how much reading a folder exceeds its numbers in single precision, and these, in MB."""


ALONE = {"OMP_NUM_THREADS": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "PYTHONPATH": os.getcwd()}
"""Settings of a process that gives the memory of its tensors back when they are deleted."""

LARGE = {
    "llama": {"hidden_size": 400, "num_attention_heads": 10, "head_dim": 40, "intermediate_size": 1200,
              "num_hidden_layers": 8},
    "gpt2": {"n_embd": 390, "n_inner": 1560, "n_layer": 8},
}  # fmt: skip
"""Sizes with which layers are large beside what else a process allocates."""


@pytest.mark.long("the memory of a large folder")
@linux
@pytest.mark.parametrize("name", LARGE)
def test_numbers_of_16_bits_become_single_precision_one_after_the_other(name: str, tmp_path: Path) -> None:
    fields = {**CASES[name].fields, **LARGE[name]}
    saved(replace(CASES[name], fields=fields), tmp_path / "large", lambda model: model.bfloat16())
    written(name, tmp_path / "tiny")
    found = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / "large"), str(tmp_path / "tiny")],
        env={**os.environ, **ALONE},
        capture_output=True,
        text=True,
        check=True,
    )
    excess, numbers = map(float, found.stdout.split())
    assert numbers > 50
    assert excess < 15, "the file has half of these bytes, and is never in memory whole"


@torch.inference_mode()
def test_a_folder_that_is_replaced_leaves_the_model_that_was_read_from_it(tmp_path: Path) -> None:
    written("llama", tmp_path)
    model, file = read(tmp_path).model, tmp_path / FILE
    before, expected = file.read_bytes(), model(tokens_of(11, seed=1))
    other = {name: tensor + 1 for name, tensor in load_file(file).items()}
    save_file(other, tmp_path / "new")
    (tmp_path / "new").replace(file)
    assert torch.equal(model(tokens_of(11, seed=1)), expected)
    assert not torch.equal(read(tmp_path).model(tokens_of(11, seed=1)), expected)
    file.unlink()
    assert torch.equal(model(tokens_of(11, seed=1)), expected)
    file.write_bytes(before)
    model = read(tmp_path).model
    next(model.parameters()).data.zero_()
    assert file.read_bytes() == before, "not even a fault of ours writes to a folder"


def test_a_folder_that_is_replaced_while_it_is_read_is_read_when_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(CASES["llama"], tmp_path, lambda model: model.half())
    file, opened = tmp_path / FILE, weights.check_header
    save_file({name: tensor * 2 for name, tensor in load_file(file).items()}, tmp_path / "new")
    n_opened = 0

    def replaced(path: Path) -> None:
        nonlocal n_opened
        n_opened += 1
        if n_opened == 5:
            (tmp_path / "new").replace(file)
        opened(path)

    about(tmp_path)
    monkeypatch.setattr(weights, "check_header", replaced)
    with pytest.raises(ReplacedError, match=r"^model.safetensors was replaced while it was read"):
        load_cached(tmp_path)
    assert load_cached(tmp_path).in_memory > 0
    forget_all()


@torch.inference_mode()
@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, torch.bfloat16) for name in ("llama-3", "gpt2", "t5")]
    + [(name, torch.float16) for name in ("qwen3", "bloom")],
)
def test_weights_requested_in_half_precision_stay_so(name: str, dtype: torch.dtype, tmp_path: Path) -> None:
    theirs = saved(CASES[name], tmp_path, lambda model: model.to(dtype))
    model, tokens = read(tmp_path, half=True).model, tokens_of(11, seed=1)
    assert {parameter.dtype for parameter in model.parameters()} == {dtype}
    if isinstance(model, EncoderDecoder):
        found, expected = model((tokens, tokens)), theirs(tokens, decoder_input_ids=tokens).logits
    else:
        found, expected = model(tokens), theirs(tokens).logits
    assert found.dtype == dtype
    tolerance = {torch.bfloat16: 0.05, torch.float16: 0.005}[dtype]
    torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance)
    assert {parameter.dtype for parameter in read(tmp_path).model.parameters()} == {torch.float32}


def test_a_folder_of_several_precisions_becomes_single_precision(tmp_path: Path) -> None:
    def mix(model: nn.Module) -> None:
        model.half()
        model.transformer.ln_f.float()

    saved(CASES["gpt2"], tmp_path, mix)
    parameters = read(tmp_path, half=True).model.parameters()
    assert {parameter.dtype for parameter in parameters} == {torch.float32}
