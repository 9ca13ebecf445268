"""Whatever words are typed, every shown program is the same program with other words in its quotes."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import replace

import pytest

from core import programs
from core.learning.collection.translators import recurrent_pair
from core.measures.classification.reviews import CLASSIFIERS
from core.measures.generation.writing import WRITERS, GenerationSettings
from core.measures.gradients.jacobians import Weights
from core.measures.masking.painting import PaintedMask
from core.measures.translation.knock_out import KnockOut
from core.measures.translation.writing import Strategy
from core.model.config import POSITIONS, ModelConfig, PairConfig
from core.programs import Subject, distance_program, orders_program, serial_program
from core.programs.architectures import (
    pair_program,
    recurrent_program,
    stack_program,
    translator_program,
)
from core.programs.classification import contributions_program, verdicts_program
from core.programs.collapse import collapse_program
from core.programs.forward import attention_program
from core.programs.generation import (
    continuing_program,
    kept_program,
    serial_costs_program,
    surprisal_program,
)
from core.programs.gradients import gradients_program
from core.programs.heads import reshape_program
from core.programs.hiding import hiding_program
from core.programs.masking import future_program, gradient_program, pattern_program, values_program
from core.programs.normalised import normalised_program
from core.programs.one_position import one_position_program
from core.programs.pairs import pretrained_pair_program
from core.programs.positions import added_program, rotary_program, score_changes_program
from core.programs.probabilities import probabilities_program
from core.programs.scaling import heads_program, row_program
from core.programs.similarity import similarity_program
from core.programs.state_changes import state_changes_program
from core.programs.steps import lookup_program, matrices_program, stage_program
from core.programs.stream import stream_program
from core.programs.text import LINE
from core.programs.translation import (
    bottleneck_program,
    knock_out_program,
    pair_attention_program,
    writing_program,
)
from core.programs.vanishing import gates_program, jacobians_program, reach_program

HOSTILE = (
    *('"', "'", "\"'", "'\"", '"""', "'''", "\\", "\\'", '\\"', "'); print('x", "']\nprint(0)\nx = ['", "#"),
    *("{d_model}", "{0}", "{{", "%s", "%(x)s", "\u202e", "\u2028", "\x00", "\r", "茶", "\ud7ff", "$(x)"),
)
"""Words that end quotes, comments and lines, or mean something to whoever fills in a pattern."""

HARMLESS = tuple(f"word{at}" for at in range(len(HOSTILE)))

WITHOUT_WORDS = {
    *("kinds_program", "fetching_program", "growth_program", "losses_program", "verbs_program"),
    *("norms_program", "learned_program", "sinusoidal_program", "training_program"),
    "alibi_program",
    *("clipping_program", "word_times_program", "trainings_program"),
}
"""Programs about no sentence of anybody's."""

Words = tuple[str, ...]
Written = Callable[[Words, str], str]

CONFIG = ModelConfig(vocab_size=1, d_model=16, positions="rotary")
PAINTED = PaintedMask(preset="window", amount=2).flip((3, 5))


def subject(words: Words, source: str, config: ModelConfig = CONFIG) -> Subject:
    return Subject(words=words, config=config, source=source, layer=1, head=2)


def stages(words: Words, source: str) -> str:
    """The programs of a stage at the beginning and one at the end."""
    return "\n".join(stage_program(subject(words, source), stage) for stage in ("states", "output"))


def every_scheme(words: Words, source: str) -> str:
    """What each scheme that does anything does to a sentence."""
    configs = [replace(CONFIG, positions=scheme) for scheme in POSITIONS if scheme != "none"]
    return "\n".join(added_program(subject(words, source, config)) for config in configs)


PAIR = recurrent_pair("lstm", "dot")
DRAWN = GenerationSettings(way="sampled", seed=3, forced=((1, "key"),))

ABOUT_WORDS: dict[str, Written] = {
    "attention_program": lambda words, source: attention_program(subject(words, source)),
    "orders_program": lambda words, source: orders_program(subject(words, source), words[::-1], 3),
    "distance_program": lambda words, _: distance_program(words, origin=0, n_layers=1, mask="causal"),
    "serial_program": lambda words, _: serial_program(words, n_layers=2, mask="bidirectional"),
    "collapse_program": lambda words, source: collapse_program(subject(words, source)),
    "gradients_program": lambda words, _: gradients_program(words, CONFIG, seed=1),
    "reshape_program": lambda words, source: reshape_program(subject(words, source), "v"),
    "pattern_program": lambda words, source: pattern_program(subject(words, source), PAINTED),
    "values_program": lambda words, source: values_program(subject(words, source), PAINTED, 4),
    "gradient_program": lambda words, source: gradient_program(subject(words, source), PAINTED),
    "future_program": lambda words, _: future_program(subject(words, "trained")),
    "probabilities_program": lambda words, _: probabilities_program(subject(words, "trained"), 2),
    "normalised_program": lambda words, source: normalised_program(subject(words, source), 3),
    "one_position_program": lambda words, source: one_position_program(subject(words, source), 4),
    "hiding_program": lambda words, source: hiding_program(subject(words, source), 4),
    "score_changes_program": lambda words, source: score_changes_program(
        replace(subject(words, source), layer=0)
    ),
    "added_program": every_scheme,
    "rotary_program": lambda words, source: rotary_program(subject(words, source), 5, 1, 7),
    "heads_program": lambda words, source: heads_program(subject(words, source), 4),
    "row_program": lambda words, _: row_program(words, 3, 32, seed=1),
    "similarity_program": lambda words, _: similarity_program(subject(words, "trained"), [words[::-1]]),
    "state_changes_program": lambda words, source: state_changes_program(subject(words, source), [(1, 2)]),
    "stage_program": stages,
    "lookup_program": lambda words, source: lookup_program(subject(words, source), 4, 0.5),
    "matrices_program": lambda words, source: matrices_program(
        subject(words, source), "none", unit_length=True
    ),
    "stack_program": lambda words, source: stack_program(subject(words, source)),
    "pair_program": lambda words, _: pair_program(
        words, words[::-1], PairConfig(encoder=CONFIG, decoder=CONFIG), seed=1
    ),
    "recurrent_program": lambda words, _: recurrent_program(words, "next-word-rnn"),
    "translator_program": lambda words, _: translator_program(words, words[::-1], PAIR),
    "writing_program": lambda words, _: writing_program(PAIR, words, Strategy()),
    "pair_attention_program": lambda words, _: pair_attention_program(
        PAIR, words, words[::-1], kind="cross-attention", layer=0, head=0
    ),
    "pretrained_pair_program": lambda words, _: pretrained_pair_program(
        words[0], words, [3, 5], [2], ends=[1], longest=7, kind="encoder", layer=1, head=0
    ),
    "knock_out_program": lambda words, _: knock_out_program(PAIR, words, KnockOut(word=0)),
    "bottleneck_program": lambda words, _: bottleneck_program(recurrent_pair("lstm", "none"), words),
    "reach_program": lambda words, _: reach_program(words, CONFIG, seed=1, furthest=50),
    "gates_program": lambda words, source: gates_program(
        words, layer=1, gate="forget", seed=1 if source == "random" else None
    ),
    "jacobians_program": lambda words, source: jacobians_program(
        words, Weights(recurrence="random" if source == "random" else "trained"), layer=1, furthest=50
    ),
    "verdicts_program": lambda words, _: verdicts_program([words, words[::-1]]),
    "contributions_program": lambda words, _: "\n".join(
        contributions_program(CLASSIFIERS[title], words) for title in ("LSTM mean", "Transformer")
    ),
    "stream_program": lambda words, source: stream_program(subject(words, source)),
    "continuing_program": lambda words, _: continuing_program(words, CONFIG, dict.fromkeys(WRITERS, DRAWN)),
    "surprisal_program": lambda words, _: surprisal_program(words, CONFIG, WRITERS),
    "kept_program": lambda words, _: kept_program(words, CONFIG, WRITERS),
    "serial_costs_program": lambda words, _: serial_costs_program(words, 2, n_layers=2),
}
"""Every other program, written about these words."""


def test_there_is_no_program_that_is_not_tried_here() -> None:
    modules = [
        importlib.import_module(f"core.programs.{module.name}")
        for module in pkgutil.iter_modules(programs.__path__)
    ]
    defined = {
        name
        for module in modules
        for name, value in inspect.getmembers(module, inspect.isfunction)
        if name.endswith("_program") and value.__module__ == module.__name__
    }
    assert defined == {*ABOUT_WORDS, *WITHOUT_WORDS}


@pytest.mark.parametrize(
    ("name", "source"), [(name, ("trained", "random")[at % 2]) for at, name in enumerate(ABOUT_WORDS)]
)
def test_hostile_words_change_nothing_but_what_stands_in_the_quotes(name: str, source: str) -> None:
    assert len(repr(list(HOSTILE))) > 2 * LINE
    for harmless, hostile in ((HARMLESS, HOSTILE), (HARMLESS[:6], HOSTILE[:6])):
        renamed = dict(zip(harmless, hostile, strict=True))
        expected = ast.parse(ABOUT_WORDS[name](harmless, source))
        for node in ast.walk(expected):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = renamed.get(node.value, node.value)
        assert ast.dump(ast.parse(ABOUT_WORDS[name](hostile, source))) == ast.dump(expected)
