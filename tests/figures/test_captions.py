"""Captions of figures: each stands alone, without the page and its controls."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from core.measures.distance.timing import Timing
from core.model.config import ModelConfig
from core.model.positions import SCHEMES
from figures.__main__ import links_of_views
from figures.captions import caption
from figures.export_pictures import export_pictures, savable_parts
from figures.preset import SLIDE
from pages.contract.measurement import Measurement, MeasurementResult
from pages.contract.sheet import Caption, Drawing, PicturePart
from pages.generation.costs import ANEW, LENGTHS, WRITERS
from pages.sheet import SheetResult, build_sheet
from tests.covering import each
from tests.real import bart_folder
from viz.theme import THEMES

WITHOUT_MODEL = {
    "/architectures?view=recurrent",
    "/interaction-distance?view=cost",
    "/positions?view=sinusoidal",
    "/scaling?view=long+vectors",
}
"""Views of formulas, counts and wiring: no network has weights there."""


def captions(link: str) -> dict[str, str]:
    """Return the captions of a link by the keys of its pictures."""
    found = build_sheet(link)
    return {part.key: caption(found, own(part)) for part in savable_parts(found.sheet.parts)}


def own(part: object) -> Caption | None:
    return part.caption if isinstance(part, PicturePart | Drawing) else None


def labels(found: SheetResult) -> Iterator[str]:
    """Yield labels of the controls of a view that captions must not have."""
    for asked in found.ask.asked():
        yield f"{asked.parameter.label}: "


@pytest.mark.long("the captions of all views; facts that titles leave out are tested in every run")
@pytest.mark.parametrize("link", links_of_views())
def test_the_caption_of_every_picture_names_its_networks_and_no_control(link: str) -> None:
    found = build_sheet(link)
    for key, said in captions(link).items():
        assert "trained weights" not in said
        if link not in WITHOUT_MODEL and "no learned parameters" not in said:
            assert re.search(r"layer|head", said), f"{key}: {said}"
        assert not [label for label in labels(found) if f" · {label}" in f" · {said}"], f"{key}: {said}"
        assert len(said.split(" · ")) == len(set(said.split(" · ")))


@each("switches", ["", "&norm=post&mask=bidirectional&positions=alibi&heads=8"])
@each("address", ["/explorer?view=heads", "/explorer?view=hiding"])
def test_a_caption_names_task_layers_heads_positions_mask_and_norm(address: str, switches: str) -> None:
    for said in captions(f"{address}&model=trained{switches}").values():
        config = ModelConfig.of_switches()
        task, norm, positions, heads = "next", config.norm, "sinusoidal", 4
        if switches:
            task, norm, positions, heads = "masked", "post", "alibi", 8
        for part in (
            f"trained on {task}-word prediction",
            "2 layers",
            f"{heads} heads",
            SCHEMES[positions].about.title,
            "no mask (bidirectional)" if switches else "causal mask",
            f"{norm}-norm",
        ):
            assert part in said


HEADS = "/explorer?view=heads&text=hot+tea"
MATRIX = "“hot tea” · Transformer trained on next-word prediction in artificial English: "


@each(
    ("link", "said"),
    [
        (f"{HEADS}&head=2", f"{MATRIX}2 layers, 4 heads, sinusoidal positions, causal mask, pre-norm"),
        (
            f"{HEADS}&layers=1&residual=false&window=2",
            f"{MATRIX}1 of 2 layers, 4 heads, sinusoidal positions, causal mask, pre-norm, no residual "
            "connections, window of ±2 words",
        ),
        (
            f"{HEADS}&model=random&layers=3&seed=7",
            "“hot tea” · Transformer with random weights: 3 layers, 4 heads, sinusoidal positions, causal "
            "mask, pre-norm · seed 7",
        ),
        (
            f"{HEADS}&silenced=1.2&silenced=2.1",
            f"{MATRIX}2 layers, 4 heads, sinusoidal positions, causal mask, pre-norm",
        ),
        (
            f"{HEADS}&drawn=lines&mass=50",
            f"{MATRIX}2 layers, 4 heads, sinusoidal positions, causal mask, pre-norm · lines hold at "
            "least 50 % of the weight of each row",
        ),
    ],
)
def test_a_caption_names_changes_of_the_model(link: str, said: str) -> None:
    found = captions(link)
    assert found.get("matrix", found.get("lines")) == said


@each(
    ("asked", "said"),
    [
        ("norm=post&b_norm=pre", "B: as A, but no positions, pre-norm"),
        ("b_positions=as+A", "B: as A"),
        ("model=random&b_seed=3&b_positions=as+A", "B: as A, but seed 3"),
        ("b_positions=as+A&b_silenced=2.1", "B: as A, but head 1 of layer 2 knocked out"),
        (
            "b_silenced=2.1&b_silenced=1.2",
            "B: as A, but no positions, head 2 of layer 1 and head 1 of layer 2 knocked out",
        ),
        (
            "model=random&residual=false&b_residual=on&b_positions=as+A",
            "B: Transformer with random weights: 2 layers, 4 heads, sinusoidal positions, causal mask, "
            "pre-norm, seed 0",
        ),
        (
            "model=random&window=2&b_window=off&b_positions=as+A",
            "B: Transformer with random weights: 2 layers, 4 heads, sinusoidal positions, causal mask, "
            "pre-norm, seed 0",
        ),
        (
            "b_model=random&b_positions=as+A",
            "B: Transformer with random weights: 2 layers, 4 heads, sinusoidal positions, causal mask, "
            "pre-norm, seed 0",
        ),
    ],
)
def test_the_caption_of_a_comparison_names_the_differences_of_b(asked: str, said: str) -> None:
    assert said in captions(f"/explorer?view=compare&text=hot+tea&{asked}")["comparison"].split(" · ")


@each(
    ("link", "key", "said"),
    [
        ("/step-by-step?view=one+head&edit=q.2.1.1", "strip", "1 value changed by hand"),
        ("/step-by-step?view=soft+lookup&sharpness=0.1", "store", "temperature 0.1"),
        ("/masking?view=paint&preset=window&radius=2", "painted", "read under the mask: window 2"),
        ("/masking?view=paint&cells=1", "painted", "read under the mask: causal, 1 cell painted"),
        (
            "/explorer?view=heads&text=the+old+chef&place=2",
            "head_effects",
            "before: all heads; after: without the head",
        ),
        ("/positions?view=rotary&moved=6", "pairs", "query and key both shifted by 6 positions"),
        ("/explorer?view=heads&drawn=lines&mass=100", "lines", "lines hold 100 % of the weight of each row"),
        (
            "/classification?view=one+review&text=the+food+was+good&hidden=2",
            "review_verdicts",
            "<unk> in place of “food”",
        ),
        ("/translation?view=translate&way=beam&beam=2", "beam_tree", "width 2"),
        ("/generation?view=surprisal&writer=LSTM", "surprisals", "text written by the LSTM"),
        ("/generation?view=side+by+side&way=sampled&top_k=5", "choices_rnn", "top k 5"),
        (
            "/positions?view=length+extrapolation&measured=verb+by+distance",
            "extrapolation_accuracy",
            "bars: one standard error",
        ),
        ("/translation?view=bottleneck&shows=accuracy+by+length", "by_length", "bars: one standard error"),
        (
            "/training?rate=0.01&steps=300",
            "curves",
            "300 steps planned, batches of 32 · learning rate 0.01",
        ),
        (
            "/explorer?view=heads&text=the+old+chef&place=2",
            "head_effects",
            "Next word after “old” (2)",
        ),
        ("/explorer?view=hiding", "hiding", "change if hidden: total variation of the prediction"),
        ("/training", "curves", "thick: exponentially weighted mean over 40 steps"),
    ],
)
def test_the_caption_has_facts_that_the_title_leaves_out(link: str, key: str, said: str) -> None:
    assert said in captions(link)[key]


@each(
    ("link", "key", "left_out"),
    [
        ("/explorer?view=heads&drawn=lines", "heads_grid", "lines hold"),
        ("/explorer?view=heads&drawn=lines", "prediction_bars", "lines hold"),
        ("/positions?view=rotary", "scheme_added", "shifted"),
        ("/positions?view=rotary&moved=0", "pairs", "shifted"),
        ("/translation?view=knock+out&hidden=2", "hidden_effects", "without"),
        ("/translation?view=knock+out&cut=1.1", "hidden_effects", "knocked out"),
        ("/classification?view=one+review&hidden=2", "contributions", "in place of"),
        ("/classification?view=one+review&hidden=2", "review_accuracies", "in place of"),
    ],
)
def test_a_caption_has_no_setting_that_does_not_change_the_picture(
    link: str, key: str, left_out: str
) -> None:
    assert left_out not in captions(link)[key]


def stored(link: str, key: str) -> Mapping[str, str]:
    """Return the provenance of a picture of a link, with the measurements of the view made now."""
    found = export_pictures(link, SLIDE, THEMES["light"], measure=measured_quickly)
    return next(one.provenance for one in found if one.key == key)


def measured_quickly(what: Measurement) -> MeasurementResult:
    timings = [
        Timing(network=name, words=n, seconds=1e-6, low=1e-6, high=1e-6, repeats=1)
        for name in (*WRITERS, ANEW)
        for n in LENGTHS
    ]
    return MeasurementResult(what.about, tuple(timings))


@each(
    ("link", "key", "seed"),
    [
        ("/generation?view=side+by+side&way=sampled&seed=2", "choices_rnn", "2"),
        ("/generation?view=memory&way=sampled&seed=3", "attended", "3"),
        ("/generation?view=memory&way=sampled&seed=3", "memory", None),
        ("/generation?view=memory&seed=3", "attended", None),
        ("/explorer?view=heads&model=random&seed=7", "heads_grid", "7"),
        ("/scaling?view=long+vectors&seed=4", "growth", "4"),
        ("/training?seed=5", "curves", "5"),
    ],
)
def test_a_file_has_the_seed_of_its_picture(link: str, key: str, seed: str | None) -> None:
    assert stored(link, key).get("seed") == seed
    named = re.search(r" · seed (\d+)", captions(link)[key])
    assert (named and named[1]) == seed


@each(
    ("link", "key"),
    [
        ("/explorer?view=compare", "comparison"),
        ("/order-invariance?view=two+orders", "verdicts"),
        ("/positions?view=rotary", "scheme_added"),
        ("/heads?view=how+many", "query_matrices"),
        ("/heads?view=how+many", "abilities"),
        ("/generation?view=memory", "memory"),
    ],
)
def test_a_picture_of_several_models_or_none_has_no_checkpoint(link: str, key: str) -> None:
    assert "checkpoint" not in stored(link, key)


@each(("key", "is_measured"), [("word_seconds", True), ("attended", False)])
def test_only_a_measured_picture_names_the_machine(key: str, is_measured: bool) -> None:
    assert ("moment" in stored("/generation?view=memory&cost=time+per+word", key)) == is_measured


@each("asked", ["", "&cells=1", "&preset=window&radius=1"])
def test_the_mask_of_a_reading_is_named_once_if_it_is_the_mask_of_the_model(asked: str) -> None:
    said = captions(f"/masking?view=paint&text=the+old+chef{asked}")["painted"]
    assert "causal mask" in said
    assert ("read under the mask" in said) == bool(asked)


def test_a_picture_of_unseen_sentences_does_not_quote_the_typed_one() -> None:
    found = captions("/heads?view=how+many&text=hot+tea")
    assert "hot tea" not in found["abilities"]
    assert "“hot tea”" in found["counts"]


def test_the_caption_does_not_repeat_the_title() -> None:
    found = build_sheet("/step-by-step?view=soft+lookup&sharpness=0.1")
    assert "temperature 0.1" in caption(found, title="Distance against temperature")
    assert "temperature" not in caption(found, title="Soft lookup at Temperature 0.1")


@pytest.mark.usefixtures("usual_model")
@each(
    ("asked", "said"),
    [
        ("", "2 layers, 3 heads, learned positions, no mask (bidirectional), post-norm"),
        ("&mask=causal", "causal mask, post-norm, trained with no mask (bidirectional)"),
        ("&window=2", "post-norm, window of ±2 tokens"),
    ],
)
def test_a_pretrained_model_has_the_name_of_its_checkpoint(asked: str, said: str) -> None:
    found = captions(f"/explorer?view=heads&model=real&real=MiniLM&text=the+cat{asked}")["matrix"]
    model = next(one for one in found.split(" · ") if one.startswith("all-MiniLM-L6-v2: "))
    assert said in model


def test_a_pretrained_pair_has_the_name_of_its_folder(usual_model: Path) -> None:
    bart_folder(usual_model.parent / "tiny-bart", tokenizer_of=usual_model)
    said = captions("/translation?view=cross-attention&translator=real&text=the+cat")["alignment"]
    assert "tiny-bart: 2 layers, 3 heads, learned positions, causal mask, post-norm" in said.split(" · ")


def test_the_metadata_of_a_file_describe_the_same_model() -> None:
    one = export_pictures(f"{HEADS}&norm=post", SLIDE, THEMES["light"])[0]
    assert one.provenance["weights"] in one.caption
    assert one.provenance["weights"].endswith("causal mask, post-norm")
