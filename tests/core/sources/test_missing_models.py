"""A changed file does not count as the measured one, and a sentence names it."""

import json
from collections.abc import Callable
from functools import partial

import pytest

from core.learning.checkpoints import load
from core.learning.collection import FOLDER, MEMBERS, name_of
from core.learning.collection.checkpoint_store import (
    INDEX,
    IndexMissingError,
    UnlistedError,
    is_as_listed,
    load_listed_member,
    record_of,
)
from core.learning.probes.probe_store import INDEX as INDEX_OF_PROBES
from core.learning.probes.probe_store import PROBES
from core.learning.training import Model
from core.measures.masking import future
from core.model.config import ModelConfig
from core.model.recurrent_pair import RecurrentPairConfig
from core.sources import UnavailableError, UntrainedError, trained
from core.sources.missing_models import absent
from core.sources.probes import absent_probes, load_probe
from core.sources.trained import load_member, record_of_member
from tests.shelf import SPOIL, SpoiltShelf

FILES = ["causal-sinusoidal-4-pre", "next-word-lstm", "translation-lstm-dot"]
"""Files of several kinds of models."""

BOTH = pytest.mark.parametrize(("said", "spoil"), SPOIL.items())
Spoil = Callable[[SpoiltShelf, str], None]


@BOTH
def test_a_spoilt_model_is_named_until_it_is_restored(
    spoilt_shelf: SpoiltShelf, said: str, spoil: Spoil
) -> None:
    name = FILES[0]
    expected = f"The file `checkpoints/{name}.safetensors` {said.format(index=INDEX)}: restore it, or "
    expected += f"`python -m core.learning.collection {name}` trains it again in a few minutes."
    spoil(spoilt_shelf, name)
    for ask in (load_member, record_of_member):
        with pytest.raises(UnavailableError) as refused:
            ask(name)
        assert str(refused.value) == expected
        assert not isinstance(refused.value, UntrainedError)
    assert absent(FILES) == expected, "one sentence, and about no other file"
    spoilt_shelf.restore(f"{name}.safetensors")
    assert load_member(name) is load_listed_member(name)
    assert absent(FILES) == ""


def test_of_a_model_chosen_by_switches_others_of_them_are_proposed(spoilt_shelf: SpoiltShelf) -> None:
    handed_out = ModelConfig(vocab_size=1, positions="sinusoidal", mask="causal", n_heads=4)
    not_so = ModelConfig(vocab_size=1, positions="alibi", mask="prefix", n_heads=8)
    spoilt_shelf.flip(name_of(handed_out))
    for_each = {
        f"The file `checkpoints/{name_of(handed_out)}.safetensors` does not match": handed_out,
        f"The model {name_of(not_so)} does not come with the app: with the prefix mask": not_so,
    }
    for beginning, config in for_each.items():
        for ask in (partial(trained.load, config, ("the",), 0), partial(trained.record, config)):
            with pytest.raises(UnavailableError) as refused:
                ask()
            said, _, instead = str(refused.value).partition("; ")
            assert said.startswith(beginning)
            assert instead == "until then choose other settings."


def test_several_files_share_a_sentence_for_each_reason(spoilt_shelf: SpoiltShelf) -> None:
    one, other, third = FILES[:3]
    spoilt_shelf.flip(one)
    spoilt_shelf.flip(other)
    spoilt_shelf.cut(third)
    spoilt_shelf.lose("recall-rnn.safetensors")
    said = absent([one, other, third, "recall-rnn", "recall-lstm", one])
    assert (
        f"The files `checkpoints/{one}.safetensors` and `checkpoints/{other}.safetensors` do not match"
        in said
    )
    assert f"`python -m core.learning.collection {one} {other}` trains them again" in said
    assert f"The file `checkpoints/{third}.safetensors` is damaged" in said
    assert "The model recall-rnn has not been trained yet." in said
    assert "recall-lstm" not in said
    assert said.count("The ") == 3


def test_an_unlisted_file_is_not_trusted(spoilt_shelf: SpoiltShelf) -> None:
    name = FILES[0]
    rows = json.loads((FOLDER / INDEX).read_text("utf-8"))
    del rows[name]
    spoilt_shelf.put(INDEX, json.dumps(rows).encode())
    for ask in (load_listed_member, record_of):
        with pytest.raises(UnlistedError):
            ask(name)
    assert absent(FILES) == (
        f"The file `checkpoints/{name}.safetensors` is not in the list `checkpoints/{INDEX}`: "
        f"`python -m core.learning.collection {name}` adds it."
    )
    assert is_as_listed(spoilt_shelf.path_of(name)), "it is not trained again because it was not listed yet"


def test_without_a_list_no_model_is_taken_on_trust(spoilt_shelf: SpoiltShelf) -> None:
    spoilt_shelf.put(INDEX, b"\xff")
    with pytest.raises(IndexMissingError):
        load_listed_member(FILES[0])
    spoilt_shelf.lose(INDEX)
    assert absent(FILES) == (
        f"The list of the collection's files, `checkpoints/{INDEX}`, is missing or damaged: restore it, or "
        "`python -m core.learning.collection` writes it anew."
    )


@pytest.mark.parametrize(
    ("of_translator", "said", "spoil"),
    [(of, *one) for of, one in zip((False, True), SPOIL.items(), strict=True)],
)
def test_a_probe_that_is_spoilt_and_one_of_a_spoilt_translator_are_named(
    spoilt_shelf: SpoiltShelf, of_translator: bool, said: str, spoil: Spoil
) -> None:
    probe, translator = next(iter(PROBES.items()))
    name, index = (translator, INDEX) if of_translator else (probe, INDEX_OF_PROBES)
    config = MEMBERS[translator].config
    assert isinstance(config, RecurrentPairConfig)
    spoil(spoilt_shelf, name)
    with pytest.raises(UnavailableError) as refused:
        load_probe(config)
    expected = (
        f"The file `checkpoints/{name}.safetensors` {said.format(index=index)}: restore it, or `python -m "
    )
    assert str(refused.value).startswith(expected)
    # A damaged translator is named, and once.
    assert absent_probes([config]) == ("" if of_translator else str(refused.value))
    spoilt_shelf.restore(f"{name}.safetensors")
    load_probe(config)


def cheat() -> Model:
    return load(FOLDER / f"{future.CHEAT}.safetensors")


def test_a_changed_file_of_the_cheat_is_replaced_by_training(
    spoilt_shelf: SpoiltShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = future.load_or_learn(cheat)
    assert (shipped.name, future.is_another(shipped)) == (future.CHEAT, False)
    learned = future.MaskComparison(shipped.losses, shipped.cheat)
    monkeypatch.setattr(future, "learn", lambda: learned)
    spoilt_shelf.flip(future.CHEAT)
    assert future.load_or_learn(cheat) is learned
    assert future.is_another(learned)
    spoilt_shelf.lose(f"{future.CHEAT}.safetensors")
    assert not future.is_another(learned), "no file is there"


def test_a_model_that_is_not_shipped_is_not_reported_missing() -> None:
    names = ["prefix-alibi-8-pre", "prefix-none-4-post"]
    shipped = (
        "with the prefix mask, only models with 4 heads and pre-norm do. `python -m core.learning.collection"
    )
    assert absent(names[:1]) == (
        f"The model {names[0]} does not come with the app: {shipped} {names[0]}` trains it in a few minutes."
    )
    assert absent(names) == (
        f"2 models do not come with the app: {shipped} {' '.join(names)}` trains them in a few minutes."
    )
