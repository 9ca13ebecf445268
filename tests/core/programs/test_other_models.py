"""Programs about models that no link of the golden texts has, and those that count or train by hand."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.decoding import Sampling
from core.learning.collection import path_of
from core.learning.training import Recipe
from core.live import Plan
from core.measures.distance import costs
from core.measures.generation.writing import WRITERS, GenerationSettings, continue_text, member_of
from core.measures.heads import several
from core.measures.heads.effects import state_changes
from core.measures.similarity import similarities
from core.measures.translation.attending import attending_in_pieces
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.programs import Call, Subject, measure_program, render_program
from core.programs.subject import OWN_FILE, load_own
from core.sources.pairs import load_pair
from core.sources.trained import load_language_model
from pages.generation.side_by_side import continuing
from pages.training.watching import bare_loop
from tests.core.measures.translation.test_attending import TEXT, pair
from tests.covering import each
from tests.programs import numbers_in, printed
from tests.real import SOURCE, one_model


def test_a_pretrained_model_is_loaded_and_its_sentences_compared(tiny_model: Path) -> None:
    one = one_model(SOURCE)
    first, *others = (one.split(text).texts for text in ("the cats saw", "i don't think the cat", "running?"))
    subject = Subject(words=first, config=replace(one.config, n_layers=1), source=SOURCE, window=2)
    of_others = [replace(subject, words=words) for words in others]
    silenced = [(0, 1), (0, 2)]

    alike = printed(
        measure_program("", similarities, subject.call, [other.call for other in of_others]), alone=False
    )
    moved = printed(
        measure_program("", state_changes, subject.call, silenced=silenced, window=2, shows=[".moved"]),
        alone=False,
    )

    expected = similarities(subject.loaded, [other.loaded for other in of_others])
    np.testing.assert_allclose(numbers_in(alike)[1:], expected, rtol=1e-4)
    expected = state_changes(subject.loaded, silenced=silenced, window=2).moved
    np.testing.assert_allclose(numbers_in(moved)[-len(expected) :], expected, rtol=1e-4)


@pytest.mark.long("a program of a pretrained pair; programs of all views are run in every run")
def test_a_pretrained_pair_writes_and_its_weights_are_printed(no_real_model: Path) -> None:
    begins = "the dog"
    pair(no_real_model / "pair", "t5", forced_bos_token_id=17)
    pieces = one_model("real/pair").split(TEXT).texts
    written = measure_program(
        "", attending_in_pieces, Call(load_pair, "pair", pieces), begins, shows=[".attending.cross[1, 1]"]
    )
    shown_weights = numbers_in(printed(written, alone=False))
    found = attending_in_pieces(load_pair("pair", pieces), begins).attending.cross[1, 1]
    np.testing.assert_allclose(shown_weights.reshape(len(found), -1)[:, 1:], found, rtol=1e-3, atol=1e-6)


def test_a_model_of_ones_own_is_loaded_from_its_file() -> None:
    config = ModelConfig.of_switches()
    words = ("the", "key", "xyzzy")
    subject = Subject(words=words, config=config, source="trained")
    own, ours = load_own(str(path_of("causal-sinusoidal-4-pre")), subject.model, words), subject.loaded
    assert own.tokens.equal(ours.tokens)
    assert own.model(own.tokens).equal(ours.model(ours.tokens))
    assert OWN_FILE == "model.safetensors"


def rows(counts: Iterable[Iterable[float]], network: str) -> list[str]:
    return [f"{network} {row} {' '.join(map(_spelt, states))}" for row, states in enumerate(counts)]


def _spelt(count: float) -> str:
    return "inf" if count == costs.UNREACHED else str(count)


@each("mask", MASKS)
@each("backwards", [False, True])
@each(("origin", "n_layers"), [(4, 1), (1, 3)])
def test_distances_along_arrows_agree_with_the_closed_form(
    origin: int, n_layers: int, backwards: bool, mask: str
) -> None:
    words = ["Zuko", "made", "his", "uncle's", "tea"]
    lines = {"mask == 'named'": f"allowed = {MASKS[mask].program}"}
    program = render_program(
        *("counting", "", lines), words=words, origin=origin, n_layers=n_layers, backwards=backwards
    )

    allowed = MASKS[mask].allowed(5)[0, 0].numpy()
    recurrent = costs.recurrent_interaction_distances(
        5, origin, n_layers, backwards=backwards, allowed=allowed
    )
    attention = costs.attention_interaction_distances(5, origin, n_layers, allowed=allowed)
    assert printed(program).splitlines() == [*rows(recurrent, "recurrent"), *rows(attention, "attention")]


@each("n_heads", [2, 8])
def test_the_costs_of_each_kind_of_head_agree_with_the_closed_form(n_heads: int) -> None:
    lines = [
        line.split() for line in printed(render_program("kinds", "", d=64, k=n_heads, n=16)).splitlines()
    ]
    assert [name for name, *_ in lines] == list(several.HEAD_KINDS)
    for name, parameters, operations in lines:
        kind = next(one for one in several.HEAD_KINDS if one == name)
        assert int(parameters) == several.head_parameters(kind, d_model=64, n_heads=n_heads)
        assert int(operations) == several.head_operations(kind, 16, d_model=64, n_heads=n_heads)


@pytest.mark.parametrize(
    "manner",
    [
        GenerationSettings(way="sampled", sampling=Sampling(temperature=1.5, top_k=50, top_p=0.95), seed=4),
        GenerationSettings(way="sampled", seed=2, most=9, forced=((2, "<unk>"),)),
    ],
)
def test_a_text_is_continued_as_the_measure_continues_it(manner: GenerationSettings) -> None:
    config, given = ModelConfig(vocab_size=1, positions="rotary"), ("the", "chef", "who", "ate", "snark")
    manners = {writer: replace(manner, forced=manner.forced[:at]) for at, writer in enumerate(WRITERS)}
    lines = [line.split() for line in printed(continuing(given, config, manners), alone=False).splitlines()]
    expected = []
    for writer, one in manners.items():
        name = member_of(writer, config)
        text = continue_text(load_language_model(name), given, one)
        for step, word in enumerate(text.written):
            expected.append((name, word, text.choices(step).query("answer")["before"].item()))
    assert [tuple(line[:2]) for line in lines] == [(name, word) for name, word, _ in expected]
    np.testing.assert_allclose([float(line[2]) for line in lines], [p for *_, p in expected], atol=6e-4)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("task", "mask", "positions", "last"),
    [("next word", "causal", "rotary", 2), ("masked word", "bidirectional", "learned", 3)],
)
def test_the_bare_loop_gives_the_same_losses_and_attention(
    task: str, mask: str, positions: str, last: int
) -> None:
    architecture = replace(ModelConfig(vocab_size=1), mask=mask, positions=positions)
    recipe = Recipe(steps=3, batch_size=5, seed=7, clip=0.3)
    plan = Plan(architecture=architecture, task_name=task, recipe=recipe)

    lines = printed(bare_loop(plan, layer=1, head=2, last=last), alone=False).splitlines()

    training = plan.begin()
    losses = [step.loss for _, step in zip(range(last), training.steps(), strict=False)]
    np.testing.assert_allclose([float(line.split()[-1]) for line in lines[:last]], losses, atol=2e-3)
    attention = np.array([line.split()[1:] for line in lines[last:]], float)
    np.testing.assert_allclose(attention, plan.snapshot(training).patterns[1, 2], atol=2e-3)
