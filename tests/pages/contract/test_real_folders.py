"""Every view that reads a real model answers any folder that can be read, with pictures or a sentence."""

import math
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.measures.generation.continuation import CANNOT
from core.model.masks import NEXT_WORD
from core.pretrained import FAMILIES, library, read
from core.sources import find
from pages.contract.prose import literal
from pages.contract.real import REAL
from pages.contract.sheet import Drawing, Formula, PicturePart, Strip, Table
from pages.explorer.predictions import NOTHING_LEARNED
from pages.generation.real_memory import KEEPS_NONE
from pages.generation.surprisal import UNSURPRISED
from tests.core.pretrained.folders import CASES, saved
from tests.pages.asked import Asked
from tests.pages.contract.test_every_sheet import parts
from tests.real import NAME, PIECES, bert_folder, gpt2_folder, with_hole, without_mask, write_tokenizer
from tests.views import PAGES

TEXT, LONGER = "the other cats think", "the other <pad> cats think"
TEXT_OF = {"bytes": "def f(x): return x**2 💩💩"}
"""Texts for folders that show something that others do not."""

VIEWS = [(address, name) for address, page in PAGES.items() for name, view in page.views.items() if view.real]
DRAWN = (PicturePart, Drawing, Table, Formula, Strip)
PREDICTING = {("explorer", name) for name in ("heads", "hiding", "compare", "probabilities")}
"""Pages and views with a prediction, which say in one sentence why there is none."""

PAIRS = ("bart", "t5")

GOES_ON = {"one model": CANNOT, "surprisal": UNSURPRISED, "memory": KEEPS_NONE}
"""Views of models that go on with a text, and what they say of another model."""


def no_mask(folder: Path) -> None:
    bert_folder(folder, predicts=True)
    without_mask(folder)


def holes(folder: Path) -> None:
    bert_folder(folder, predicts=True)
    with_hole(folder, "saw", "run", "i")


def longer_tokenizer(folder: Path) -> None:
    bert_folder(folder, predicts=True)
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_special_tokens(["<pad>"])
    tokenizer.save(str(folder / "tokenizer.json"))


def of_family(kind: str, folder: Path) -> None:
    saved(CASES[kind], folder)
    write_tokenizer(folder, PIECES)


def of_bytes(folder: Path) -> None:
    gpt2_folder(folder, trained_on=TEXT_OF["bytes"], max_len=128)


FOLDERS: dict[str, Any] = {
    "no mask": no_mask,
    "holes": holes,
    "longer tokenizer": longer_tokenizer,
    "bytes": of_bytes,
}
KINDS = [*FOLDERS, *FAMILIES, "gpt2-without-output"]


ALSO: dict[str, Any] = {"no mask": {"silenced": ["1.1"]}, "bytes": {"tokens": "words"}}
"""Further choices of a link, if its view has them."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for a folder of each kind."""
    return tmp_path_factory.mktemp("kinds")


@pytest.fixture
def only(place: Path, no_real_model: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the folder of a kind the only one there."""

    def choose(kind: str) -> None:
        folder = place / kind / NAME
        if not folder.exists():
            FOLDERS.get(kind, partial(of_family, kind))(folder)
        monkeypatch.setenv(library.ELSEWHERE, str(folder))
        library.forget_all()

    return choose


def cases() -> list[tuple[str, str, str]]:
    """Return every view with one family, so that each view has a family, and the odd folders too."""
    families = cycle(KINDS[len(FOLDERS) :])
    found = []
    for address, view in VIEWS:
        odd = ["no mask"] if view == "head scores" else FOLDERS  # it reads sixty sentences
        found += [(address, view, kind) for kind in (*odd, next(families))]
    assert {kind for *_, kind in found} == set(KINDS)
    return found


def opened(address: str, view: str, text: str = TEXT, **more: Any) -> Asked:
    chosen = {"translator" if view == "cross-attention" else "model": REAL, "real": NAME}
    return Asked(address, view=view, text=text, code=True, **chosen, **more)


@pytest.mark.long("four families on all views; each family is compared with transformers in every run")
@pytest.mark.parametrize(("address", "view", "kind"), cases())
def test_a_view_shows_the_content_of_a_folder_and_names_missing_parts(
    address: str, view: str, kind: str, only: Any
) -> None:
    only(kind)
    session = opened(address, view, TEXT_OF.get(kind, TEXT), **ALSO.get(kind, {}))
    if view == "cross-attention" and kind not in PAIRS:
        assert ["No encoder–decoder is on this server" in one for one in session.warnings[:1]] == [True]
        return
    assert session.warnings == []
    one = find(f"real/{NAME}").pretrained
    assert one is not None
    if view in GOES_ON and (not one.predicts or one.objective != NEXT_WORD):
        assert session.infos == [GOES_ON[view]]
        return
    silent = not one.predicts or (one.objective != NEXT_WORD and not one.has_mask)
    drawn = [part for part in parts(session.sheet) if isinstance(part, DRAWN)]
    assert drawn or (silent and view == "probabilities")
    for part in drawn:
        if isinstance(part, PicturePart) and part.picture.has_table:
            assert part.picture.table().size
    if silent and (address, view) in PREDICTING:
        why = "has no mask token" if one.predicts else "gives a state for each token"
        assert "\n".join([session.prose, *session.infos]).count(why) == 1


@pytest.fixture(scope="module")
def of_16_bits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("half") / NAME
    saved(CASES["qwen3-biases-and-window"], folder, lambda model: model.bfloat16())
    write_tokenizer(folder, PIECES)
    return folder


@pytest.mark.long("16 bits on all views; the model itself computes with them in every run")
@pytest.mark.parametrize(("address", "view"), [one for one in VIEWS if one[1] != "cross-attention"])
def test_every_view_reads_numbers_of_16_bits_as_a_gpu_has_them(
    address: str, view: str, of_16_bits: Path, no_real_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "read", lambda folder, half: read(folder, half=True))
    monkeypatch.setenv(library.ELSEWHERE, str(of_16_bits))
    session = opened(address, view, f"{TEXT} run running")
    assert session.warnings == []
    assert any(isinstance(part, DRAWN) for part in parts(session.sheet))
    for strip in (part for part in parts(session.sheet) if isinstance(part, Strip)):
        shorts = [stage["short"] for stage in strip.stages]
        assert len(set(shorts)) == len(shorts), "queries before and after their norm are distinguished"
    kept = library.load_cached(of_16_bits)
    assert {parameter.dtype for parameter in kept.stack.parameters()} == {torch.bfloat16}


@pytest.mark.long("a table that lacks a token, on every view")
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_a_piece_without_a_row_is_named_on_every_view(address: str, view: str, only: Any) -> None:
    only("longer tokenizer")
    session = opened(address, view, LONGER)
    if view == "cross-attention":
        return
    said = f"has the token {literal('<pad>')} with the number {len(PIECES)}"
    assert [said in one for one in session.warnings] == [True]
    assert not any(isinstance(part, DRAWN) for part in parts(session.sheet))


@pytest.mark.parametrize(
    ("address", "view", "more", "sentence"),
    [
        (
            "explorer",
            "similarity",
            {"against": "the cat\n<pad> cats"},
            "Sentence 2 of the list: The tokenizer",
        ),
        ("order-invariance", "two orders", {"other": "cats <pad> the"}, "Second sentence: The tokenizer"),
    ],
)
def test_of_several_sentences_the_one_that_cannot_be_read_is_named(
    address: str, view: str, more: dict[str, str], sentence: str, only: Any
) -> None:
    only("longer tokenizer")
    session = opened(address, view, "the cats", **more)
    assert [one.startswith(sentence) for one in session.warnings] == [True]


def with_weights(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    """Write a model that predicts, or a pair, with other weights."""
    path = folder / "model.safetensors"
    weights = load_file(path)
    change(weights)
    save_file(weights, path)


def put_nan(weights: dict[str, Tensor]) -> None:
    next(tensor for tensor in weights.values() if tensor.ndim == 2).view(-1)[7] = math.nan


def enlarge(weights: dict[str, Tensor]) -> None:
    for tensor in weights.values():
        tensor *= 1e20


@pytest.mark.long("a broken folder on all views")
@pytest.mark.parametrize(
    ("change", "said"), [(put_nan, "must hold finite numbers"), (enlarge, "numbers beyond 10¹⁵")]
)
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_numbers_that_are_not_finite_are_a_sentence_on_every_view(
    change: Callable[[dict[str, Tensor]], object], said: str, address: str, view: str, no_real_model: Path
) -> None:
    folder = no_real_model / NAME
    if view == "cross-attention":
        of_family("t5", folder)
    elif view in GOES_ON:
        gpt2_folder(folder, trained_on="the cat saw the cats")
    else:
        bert_folder(folder, predicts=True)
    with_weights(folder, change)
    session = opened(address, view)
    assert [said in one.replace("\\", "") for one in session.warnings] == [True]
    assert not any(isinstance(part, DRAWN) for part in parts(session.sheet))


@pytest.mark.usefixtures("long_model")
def test_of_a_long_text_hiding_says_only_why_nothing_is_predicted() -> None:
    session = opened("explorer", "hiding", "the cats " * 140)
    assert ["has no output layer" in one for one in session.infos] == [True]
    assert not any(isinstance(part, DRAWN) for part in parts(session.sheet))


@pytest.mark.parametrize("view", ["hiding", "compare"])
def test_weights_that_have_learned_nothing_are_shown_without_a_prediction(view: str) -> None:
    session = Asked("explorer", view=view, model="random")
    assert "\n".join([session.prose, *session.infos]).count(NOTHING_LEARNED) == 1
    assert [part.key for part in parts(session.sheet) if isinstance(part, PicturePart)] == [
        {"hiding": "hiding", "compare": "comparison"}[view]
    ]


@pytest.mark.parametrize(
    ("pieces", "begins", "said"),
    [
        ((*PIECES, *(f"w{at}" for at in range(20))), "w19 the", "has the token w19 with the number 38"),
        (
            tuple(piece for piece in PIECES if piece != "[UNK]"),
            "東",
            "cannot read what the target begins with",
        ),
    ],
)
def test_a_target_with_unknown_words_is_refused(
    pieces: tuple[str, ...], begins: str, said: str, no_real_model: Path
) -> None:
    saved(CASES["t5"], no_real_model / NAME)
    write_tokenizer(no_real_model / NAME, pieces)
    session = opened("translation", "cross-attention", begins=begins)
    assert [said in one for one in session.warnings] == [True]
    assert session.pictures == []
