"""The programs of what lies beyond training: long sentences, and verbs far from their subjects."""

from dataclasses import replace

from core.learning.collection import name_of, path_of
from core.measures.positions.extrapolation import DISTANCES, LENGTH, STEP
from core.model.config import POSITIONS, ModelConfig
from core.programs.text import program


def losses_program(config: ModelConfig) -> str:
    """A program that prints the mean loss of every position scheme, a number for each part of the sentences.

    The language cannot be told in a few lines, so both programs import the app's `core`.
    """
    return program(
        f"Losses of a model of each scheme on sentences of {LENGTH} words, in the app's folder.",
        _LOSS_IMPORTS,
        _models(config),
        _LOSSES.format(length=LENGTH, step=STEP),
    )


def verbs_program(config: ModelConfig) -> str:
    """A program that prints how often every scheme gets a verb right, a number for each distance."""
    return program(
        "Verbs far from their subjects, asked of a model of each scheme, in the app's folder.",
        _VERB_IMPORTS,
        _models(config),
        _RIGHT,
        _VERBS.format(distances=DISTANCES),
    )


def _models(config: ModelConfig) -> str:
    names = {
        positions: name_of(replace(config, mask="causal", positions=positions)) for positions in POSITIONS
    }
    lines = [
        f'    "{one}": load(Path("checkpoints/{name}.safetensors")),'
        for one, name in names.items()
        if path_of(name).exists()
    ]
    return "\n".join(["models = {", *lines, "}"])


_LOSS_IMPORTS = """
    from pathlib import Path

    import torch
    from torch.nn.functional import cross_entropy

    from core.learning.checkpoints import load
    from core.measures.positions.extrapolation import long_sentences
"""

_LOSSES = """
    tokens = long_sentences()
    for positions, model in models.items():
        with torch.inference_mode():
            logits = model(tokens)[:, :-1]
        found = cross_entropy(logits.mT, tokens[:, 1:], reduction="none")  # from the second word on
        parts = [found[:, max(0, at - 1) : at + {step} - 1] for at in range(0, {length}, {step})]
        print(f"{{positions:>12}}", *(f"{{part.mean():.3f}}" for part in parts))
"""

_VERB_IMPORTS = """
    from pathlib import Path

    import torch

    from core.learning.checkpoints import load
    from core.measures.positions.extrapolation import verb_questions
    from core.text.language import vocabulary
"""

_RIGHT = """
    def is_right(model, question):
        before = vocabulary().encode(question.words[: question.place])
        with torch.inference_mode():
            logits = model(before)[0, -1]
        right, wrong = (vocabulary().encode(sorted(words))[0] for words in (question.right, question.wrong))
        return bool(logits[right].max() > logits[wrong].max())
"""

_VERBS = """
    for positions, model in models.items():
        shares = []
        for distance in {distances}:
            answers = [is_right(model, question) for question in verb_questions(distance)]
            shares.append(sum(answers) / len(answers))
        print(f"{{positions:>12}}", *(f"{{share:.3f}}" for share in shares))
"""
