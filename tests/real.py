"""A real model for tests: a folder with a tiny BERT of noise, so that none has to be fetched."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import tokenizers
from safetensors.torch import save_file
from tokenizers import models, normalizers, pre_tokenizers, processors

from core.config import ModelConfig
from core.learning.weights.pretrained import USUAL
from core.models import Stack, Transformer
from core.pretrained import library
from core.pretrained.bert import BERT
from core.pretrained.converting import source_of
from tests.core.references import noisy

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PIECES = (
    *SPECIAL,
    "the",
    "cat",
    "cats",
    "saw",
    "don",
    "'",
    "t",
    "think",
    "run",
    "##ning",
    "other",
    ".",
    "?",
    "i",
)
N_LAYERS, N_HEADS, D_MODEL, D_MLP, MAX_LEN = 2, 3, 21, 23, 37
LONG = 311

NAME = "tiny"
SOURCE = f"real/{NAME}"


def bert_folder(
    folder: Path, *, predicts: bool = False, pieces: tuple[str, ...] = PIECES, max_len: int = MAX_LEN
) -> Stack:
    """Write a BERT whose parameters are noise into `folder`, and return it as our own modules."""
    folder.mkdir(parents=True)
    config = ModelConfig(
        vocab_size=len(pieces),
        d_model=D_MODEL,
        n_heads=N_HEADS,
        n_layers=N_LAYERS,
        d_mlp=D_MLP,
        max_len=max_len,
        positions="learned",
        mask="bidirectional",
        norm="post",
        embed_norm=True,
        n_types=2,
        tied=predicts,
        embed_scale=1.0,
        activation="gelu",
        output_transform=predicts,
        output_bias=predicts,
    )
    model = noisy(Transformer(config) if predicts else Stack(config))
    tensors = {source_of(name, BERT.names): value.detach() for name, value in model.named_parameters()}
    save_file(tensors, folder / "model.safetensors")
    said = {
        "model_type": "bert",
        "architectures": ["BertForMaskedLM" if predicts else "BertModel"],
        "vocab_size": len(pieces),
        "hidden_size": D_MODEL,
        "num_hidden_layers": N_LAYERS,
        "num_attention_heads": N_HEADS,
        "intermediate_size": D_MLP,
        "max_position_embeddings": max_len,
        "type_vocab_size": 2,
        "layer_norm_eps": config.epsilon,
    }
    (folder / "config.json").write_text(json.dumps(said), "utf-8")
    _tokenizer(pieces).save(str(folder / "tokenizer.json"))
    roles = dict(zip(("pad", "unk", "cls", "sep", "mask"), SPECIAL, strict=True))
    written = {f"{role}_token": text for role, text in roles.items()}
    (folder / "tokenizer_config.json").write_text(json.dumps(written), "utf-8")
    return model.eval()


def _tokenizer(pieces: tuple[str, ...]) -> tokenizers.Tokenizer:
    numbers = {piece: at for at, piece in enumerate(pieces)}
    made = tokenizers.Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(list(SPECIAL))
    around = [(one, numbers[one]) for one in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=around)
    return made


@pytest.fixture
def no_real_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of models before anything was fetched."""
    monkeypatch.setattr(library, "FOLDER", tmp_path / "models" / library.FOLDER.name)
    monkeypatch.delenv(library.ELSEWHERE, raising=False)
    library.forget_all()
    yield tmp_path / "models"
    library.forget_all()


@pytest.fixture
def tiny_model(no_real_model: Path) -> Path:
    """The folder of a real model, `tiny`, which is the only one there."""
    bert_folder(no_real_model / NAME)
    return no_real_model / NAME


@pytest.fixture
def long_model(no_real_model: Path) -> Path:
    """The same with positions for a long text."""
    bert_folder(no_real_model / NAME, max_len=LONG)
    return no_real_model / NAME


@pytest.fixture
def usual_model(no_real_model: Path) -> Path:
    """The folder of the model that set-up fetches, with the tiny one in its place."""
    bert_folder(no_real_model / USUAL)
    return no_real_model / USUAL
