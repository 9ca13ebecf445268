"""Programs about whole models: every tensor of a forward pass."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.model.config import ModelConfig, PairConfig
from core.programs.subject import Subject
from core.programs.text import literal, paragraph, program

PRINTING = paragraph("""
    for name, value in trace.items():
        print(f"{name:42}", *value.shape, f"{value.float().norm(dim=-1).mean():.3f}")
""")

RUNNING = (
    "source = language.encode(words).tokens\ntarget = translation.vocabulary().encode(fed)\n"
    "trace = Trace()\nmodel((source, target), trace=trace)"
)


def stack_program(subject: Subject) -> str:
    """A program that prints every tensor of a stack at work: its name, its shape and its mean norm."""
    return program(
        "Every tensor of one forward pass, in the order in which it is computed.",
        "from core.model.config import ModelConfig\nfrom core.model.trace import Trace\n"
        "from core.sources import load",
        literal("words", list(subject.words)),
        f"config = {made(subject.config)}\n"
        f"loaded = load({subject.source!r}, config, words, seed={subject.seed})\n"
        "trace = Trace()\nloaded.model(loaded.tokens, trace=trace)",
        PRINTING,
    )


def translator_program(words: Sequence[str], target: Sequence[str], config: TranslatorConfig) -> str:
    """A program that prints every tensor of a translator that reads `words` and is fed `target`."""
    return program(
        "Every tensor of one forward pass of a translator, in the order in which it is computed.",
        "from core.learning.collection import take\nfrom core.model.trace import Trace\n"
        "from core.text import language, translation",
        f"{literal('words', list(words))}\n{literal('fed', list(target))}",
        f'model = take("{name_of_pair(config)}")',
        RUNNING,
        PRINTING,
    )


def pair_program(words: Sequence[str], target: Sequence[str], config: PairConfig, *, seed: int) -> str:
    """A program that prints every tensor of a random encoder–decoder that reads `words`, fed `target`."""
    return program(
        "Every tensor of one forward pass of an encoder and a decoder, in the order in which it is computed.",
        "from core.model.config import ModelConfig\nfrom core.model.initialisation import initialise\n"
        "from core.model.models import EncoderDecoder\nfrom core.model.trace import Trace\n"
        "from core.text import language, translation",
        f"{literal('words', list(words))}\n{literal('fed', list(target))}",
        f"model = EncoderDecoder(\n    {made(config.encoder)},\n    {made(config.decoder)},\n)\n"
        f"initialise(model, seed={seed})",
        RUNNING,
        PRINTING,
    )


def recurrent_program(words: Sequence[str], member: str) -> str:
    """A program that prints every tensor of a recurrent language model, by its name in the collection."""
    return program(
        "Every tensor of one forward pass of a recurrent network, in the order in which it is computed.",
        "from core.learning.collection import take\nfrom core.model.trace import Trace\n"
        "from core.text import language",
        literal("words", list(words)),
        f"model, trace = take({member!r}), Trace()\nmodel(language.encode(words).tokens, trace=trace)",
        PRINTING,
    )


def made(config: Any) -> str:
    """The call that makes a configuration: the fields that differ from what they are unless given."""
    given = {field.name: getattr(config, field.name) for field in fields(config)}
    usual = {field.name: field.default for field in fields(config) if field.default is not MISSING}
    if isinstance(config, ModelConfig) and config.d_mlp == 4 * config.d_model:
        usual["d_mlp"] = config.d_mlp
    return f"{type(config).__name__}({_listed(given, usual)})"


def _listed(given: Mapping[str, object], usual: Mapping[str, object]) -> str:
    differing = (name for name, value in given.items() if name not in usual or usual[name] != value)
    return ", ".join(f"{name}={given[name]!r}" for name in differing)
