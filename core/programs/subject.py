"""The subject of a program: a sentence, the model that reads it, and the chosen head."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.learning.checkpoints import load as load_checkpoint
from core.learning.checkpoints import read_record
from core.learning.collection import name_of
from core.learning.tasks import TASKS
from core.live.plan import encoding_of
from core.measures.masking.painting import PaintedMask
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.pretrained import library
from core.programs.calling import Call
from core.programs.showing import render_program
from core.sources import BY_HAND_NAME, SOURCES, LoadedModel, find, load
from core.sources.pretrained import is_real

OWN_FILE = "model.safetensors"
"""Name in the program of a model that the reader has trained and downloaded."""


def load_own(file: str, config: ModelConfig, words: Sequence[str]) -> LoadedModel:
    """Return a model from the file that the page Training gave you, with a sentence."""
    task, model = TASKS[read_record(Path(file)).task], load_checkpoint(Path(file), config=config)
    assert isinstance(model, Transformer), "the page trains no other"
    encoding = encoding_of(task, words)
    return LoadedModel(model, task.vocabulary(), tuple(words), encoding.tokens, encoding.unknown)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A sentence, a model named as in `core.sources.load`, whose errors it raises, and a head from 0."""

    words: tuple[str, ...]
    config: ModelConfig
    source: str
    seed: int = 0
    window: int | None = None
    layer: int = 0
    head: int = 0

    @property
    def loaded(self) -> LoadedModel:
        return load(self.source, self.config, self.words, self.seed)

    @property
    def model(self) -> ModelConfig:
        """Configuration of the model, with its real width and vocabulary."""
        return self.loaded.model.config

    @property
    def call(self) -> Call:
        """The call with which a program loads the model and its tokens."""
        return self.call_for("")

    def call_for(self, part: str) -> Call:
        """Return the call with which a program gets a part of what is loaded, such as `.model`."""
        if self._is_own:
            return Call(load_own, OWN_FILE, self.model, self.words, part=part)
        return Call(load, self.source, self.config, self.words, self.seed, part=part)

    def shown(self, name: str, title: str, mask: PaintedMask | None = None, **constants: object) -> str:
        """Return a program of `core.programs` about this subject, under a `mask` if given."""
        config = self.model
        scheme, named = SCHEMES[config.positions], MASKS[config.mask]
        lines = {
            "mask == 'named'": f"allowed = {named.program}  # {named.says}",
            f"'{scheme.injection_point()}' in points": scheme.program_lines(config),
        }
        given = self._weights() | _options(config) | _painted(mask, len(self.words))
        given |= {"words": list(self.words), "layer": self.layer, "head": self.head}
        windows = [one for one in (self.window, config.window) if one is not None and mask is None]
        given |= {"window": min(windows, default=-1)}
        return render_program(name, title, lines, **given | constants)

    @property
    def _is_own(self) -> bool:
        return self.source not in SOURCES and self.source != BY_HAND_NAME and not is_real(self.source)

    def _weights(self) -> dict[str, object]:
        """Return constants for the weights, and the numbers of the words in them."""
        loaded = self.loaded
        found: dict[str, object] = {"tokens": loaded.tokens[0].tolist(), "source": "file"}
        if self.source == "random":
            scheme = SCHEMES[self.model.positions].outline(self.model)
            drawn = {
                f"positions.{name}": (tuple(parameter.shape), scheme.initial_deviation)
                for name, parameter in scheme.named_parameters()
            }
            numbers = list(range(len(self.words)))  # every word has a separate vector
            return {"source": "random", "seed": self.seed, "of_positions": drawn, "tokens": numbers}
        if self.source == BY_HAND_NAME:
            parts = [f"blocks.0.attention.{part}.weight" for part in ("query", "key", "value", "output")]
            parameters = dict(loaded.model.named_parameters())
            numbers_of = {name: parameters[name].int().tolist() for name in ("embed.weight", *parts)}
            return found | {"source": "numbers", "numbers": numbers_of}
        if is_real(self.source):
            one = find(self.source).pretrained
            assert one is not None, "a program is about a model that is there"
            return found | {"source": "folder", "folder": f"models/{library.path_below(one.name)}"}
        return found | {
            "file": OWN_FILE if self._is_own else f"checkpoints/{name_of(self.config)}.safetensors"
        }


def _options(config: ModelConfig) -> dict[str, object]:
    names = "d_model d_mlp n_heads n_key_heads d_head n_types norm norm_kind epsilon residual mlp activation"
    return {name: getattr(config, name) for name in names.split()} | {
        "embed_scale": config.word_scale,
        "scaled_by_root": config.word_scale == config.d_model**0.5,
        "embed_norm": config.embed_norm and config.norm != "none",
        "point": SCHEMES[config.positions].injection_point(),
        "scaled": config.scale,
        "has_bias": config.bias,
        "qk_norm": config.qk_norm,
        "gated": config.gated and config.mlp,
    }


def _painted(mask: PaintedMask | None, n: int) -> dict[str, object]:
    if mask is None:
        return {}
    named = {"mask": mask.preset, "amount": mask.amount, "no_future": mask.no_future}
    return {**named, "flipped": mask.within(n)}
