"""Sentences chosen by a condition, each under a switch with which another one would be false."""

import numpy as np
import pandas as pd
import pytest

from pages.contract.look import Look
from pages.explorer.compare import describe_losses
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.words_used import texts
from viz.named_bars import LikelyWords
from viz.tables import heads_table

TEA = "tea and tea"
TWO_WORDS = {"text": "hot tea", "other": "tea hot"}
UNKNOWN = {"text": "the zyzzy heated the blarg", "other": "the blarg heated the zyzzy"}
NARROW = {"preset": "window", "radius": 1}
SWAPPED = {"text": "cats see dogs", "other": "dogs see cats", "mask": "bidirectional"}


@each(
    ("address", "link", "said", "unsaid"),
    [
        (
            "order-invariance",
            {"view": "two orders", "positions": "alibi", **SWAPPED},
            "attends to the same vectors at equal distances in both orders, so no layer changes it",
            "are the same in both orders",
        ),
        (
            "order-invariance",
            {"view": "two orders", "positions": "sinusoidal", **SWAPPED},
            "In layer 1 the sinusoidal positions tell the order.",
            "no layer changes it",
        ),
        (
            "blocks",
            {"view": "feed-forward", "shows": "two layers without it", "norm": "none"},
            "the feed-forward layer between the two.",
            "layer norm.",
        ),
        (
            "blocks",
            {"view": "pre and post", "mlp": "false"},
            "about blocks with a residual connection and a feed-forward layer",
            "a bound of this norm",
        ),
        (
            "blocks",
            {"view": "pre and post", "shows": "warm-up", "residual": "false"},
            "The drawn blocks follow the switches.",
            "about ten seconds",
        ),
        ("blocks", {"view": "layer norm", "text": "tea"}, "There is no other word", "Press *Change all"),
        (
            "masking",
            {"view": "paint", "text": TEA, "layer": 2},
            "without the mask of this layer and with it",
            "without this mask",
        ),
        ("masking", {"view": "paint", "text": "tea " * 40}, "Before the softmax", "numbers on the right"),
        (
            "masking",
            {"view": "paint", "text": TEA, "preset": "padding", "padded": 3},
            "no word may attend to any: all weights are 0",
            "to all words or to none",
        ),
        (
            "architectures",
            {"view": "encoder or decoder", "mask": "prefix"},
            "in the beginning it hides none",
            "this word, so the mask hides it",
        ),
        (
            "translation",
            {"view": "translate", "way": "sampled", "begins": "ha"},
            "The first words are given. Each further word is drawn",
            "Each word is drawn",
        ),
        ("heads", {"view": "how many", "positions": "relative"}, "in their number of heads.", "not in their"),
        (
            "heads",
            {"view": "reshape", "heads": 1, "shape": "k × n × d/k"},
            "the only head has every word, with all 48 numbers of its query",
            "but only",
        ),
        (
            "explorer",
            {"view": "head scores", "model": "random", "positions": "alibi"},
            "or by ALiBi, which favours near words",
            "differs by chance",
        ),
        (
            "step-by-step",
            {"view": "why three matrices", "size": "full", "mask": "causal", "positions": "alibi"},
            "before the mask and the bias",
            "differs by chance",
        ),
        (
            "step-by-step",
            {"view": "why three matrices", "size": "small", "positions": "none", "text": TEA},
            "all 3 words attend most to themselves or an equal word",
            "to themselves.",
        ),
        (
            "classification",
            {"view": "one review", "text": "the film and the dinner were good .", "hidden": 4},
            "Without *the \\(4\\)*",
            "Without *the* ",
        ),
        (
            "translation",
            {"view": "translate", "way": "beam", "beam": 5},
            "Beam search of width 5 takes 12 steps.",
            "How many steps does it take until",
        ),
        (
            "order-invariance",
            {
                "view": "two orders",
                "positions": "alibi",
                "mask": "causal",
                "text": "hot tea",
                "other": "tea hot",
            },
            "the ALiBi positions can tell the order, and the mask tells which words stand before.",
            "the ALiBi positions tell the order.",
        ),
        (
            "architectures",
            {"view": "encoder or decoder", "model": "random", "part": "embedding"},
            "Every word has a vector of parameters",
            "learned vector",
        ),
        (
            "translation",
            {"view": "cross-attention", "kind": "decoder"},
            "The largest weight of a word with several keys",
            "*\\<s\\>* attends to *\\<s\\>*",
        ),
        ("explorer", {"view": "hiding", "window": 4}, "Hiding acts through all heads", "Over 100 sentences"),
        ("heads", {"view": "how many", "mask": "prefix"}, "*Agreement*: is the verb", "The models differ"),
        (
            "heads",
            {"view": "how many", "mask": "bidirectional"},
            "which of two names is masked",
            "comes next",
        ),
        ("heads", {"view": "reshape", "positions": "rotary"}, "and their positions rotate them", "at once:"),
        (
            "explorer",
            {"view": "heads", "heads": 1, "layers": 1, "query": 1, "key": 1},
            "in the only head: it may attend to nothing else",
            "in all 1 head",
        ),
        (
            "explorer",
            {"view": "heads", "show": "rollout", "layer": 2, "residual": "false", "query": 2, "key": 1},
            "so it is an estimate",
            "of a state past each layer",
        ),
        (
            "scaling",
            {"view": "long vectors", "text": "tea tea tea"},
            "*tea \\(3\\)* gives *tea \\(1\\)* 33 %",
            "gives one word",
        ),
        (
            "order-invariance",
            {
                "view": "two orders",
                "positions": "learned",
                "mask": "prefix",
                "text": "hot tea and milk so cold",
                "other": "tea hot and milk so cold",
            },
            "and the mask tells which words are hidden",
            "which words stand before",
        ),
        (
            "order-invariance",
            {"view": "two orders", "text": "tea and hot tea", "other": "tea hot and tea", "word": 1},
            "*tea \\(1\\)* gets the same output",
            "*tea* gets the same output",
        ),
        (
            "order-invariance",
            {
                "view": "who did what to whom",
                "text": "the zyzzy heated the blarg",
                "other": "the blarg heated the zyzzy",
            },
            "After *the oven",
            "zyzzy",
        ),
        (
            "masking",
            {
                "view": "paint",
                "layers": 4,
                "model": "random",
                "preset": "window",
                "radius": 1,
                "beside": "gradient",
            },
            "passes through other words",
            "a third word",
        ),
        (
            "masking",
            {"view": "mask values", "text": TEA, "query": 3},
            "masked for *tea \\(3\\)*",
            "for *tea*",
        ),
        (
            "step-by-step",
            {"view": "why three matrices", "size": "small", "text": "tea tea tea", "positions": "rotary"},
            "Only the positions in queries and keys tell them apart.",
            "no matrix can tell them apart",
        ),
        (
            "step-by-step",
            {"view": "one head", "size": "small", "mask": "bidirectional"},
            "how many scores does one head compute?",
            "The mask then hides some",
        ),
        (
            "step-by-step",
            {"view": "one head", "size": "full", "heads": 1, "stage": "heads"},
            "the output of the only head is passed on",
            "of all heads",
        ),
        (
            "architectures",
            {"view": "encoder or decoder", "norm": "none", "part": "sum after self-attention"},
            "The residual connection adds the vector from before the part to its output.",
            "norm follows",
        ),
        ("positions", {"view": "all schemes", "heads": 1}, "Each chart has its own scale.", "grey lines"),
        (
            "interaction-distance",
            {"view": "networks", "text": TEA},
            "The way from *tea \\(1\\)* to the state of *tea \\(3\\)*",
            "from *tea*",
        ),
        ("explorer", {"view": "heads", "drawn": "lines"}, "Choose a query and a key to see", "Click a cell"),
    ],
)
def test_a_sentence_is_true_under_a_switch_that_makes_another_one_false(
    address: str, link: dict[str, object], said: str, unsaid: str
) -> None:
    page = Asked(address, **link)
    text = " ".join([*page.markdown, *(line for one in page.questions for line in texts(one))])
    assert said in text
    assert unsaid not in text


@each(
    ("link", "said"),
    [
        ("/generation?view=memory&writer=LSTM&panel=2", "The picture shows layer"),
        ("/heads?view=how+many", "Grey bars"),
    ],
)
def test_a_hall_hears_nothing_of_a_picture_that_it_does_not_see(link: str, said: str) -> None:
    assert said in " ".join(lines(build_sheet(link, Look())))
    assert said not in " ".join(lines(build_sheet(link, Look(fills=True))))


@each(("positions", "asks"), [("sinusoidal", True), ("rotary", True), ("alibi", False), ("relative", False)])
def test_exchanged_heads_are_asked_about_where_their_number_means_nothing(positions: str, asks: bool) -> None:
    page = Asked("explorer", view="compare", b_positions=positions)
    assert any("heads 1 and 2 are exchanged" in one.text for one in page.questions) == asks


def test_a_rollout_beyond_a_window_is_drawn_where_the_headline_finds_it() -> None:
    page = Asked(
        "explorer",
        show="rollout",
        layer=2,
        window=1,
        residual="false",
        positions="none",
        text="tea and hot tea too",
    )
    drawn = page.matrix("matrix")
    assert drawn[3, 1] > 0, "through the word between them"


@each(("link", "n_shown"), [({}, 1), ({"text": "tea"}, 0)])
def test_a_single_word_is_not_asked_about_others(link: dict[str, object], n_shown: int) -> None:
    asked = [one.text for one in Asked("blocks", view="layer norm", **link).questions]
    assert sum("all other words change" in one for one in asked) == n_shown


@each(("answer", "said"), [("← in the sentence", "In the sentence: tea."), ("← chosen", "Chosen: tea.")])
def test_the_alternative_text_of_words_calls_the_marked_one_as_the_picture_does(
    answer: str, said: str
) -> None:
    words = pd.DataFrame({"word": ["tea"], "before": [1.0], "after": [1.0], "answer": [True]})
    assert LikelyWords(title="t", words=words, answer=answer).alt().endswith(said)


def test_entropy_and_distance_are_of_the_keys_that_are_shown() -> None:
    faint = np.full((1, 1, 4, 4), 0.0025)
    seen = heads_table(faint).iloc[0]
    assert (seen["entropy in bits"], seen["mean distance"]) == (pytest.approx(2), pytest.approx(1.25))


SCORED = np.array([1.0, 2.0, np.nan])


@each(
    ("of_b", "said"),
    [
        ([3.0, 4.0, np.nan], "sentence: **A 1.50 nats per word**, **B 3.50 nats per word**."),
        ([np.nan, 4.0, 6.0], "over the 1 word that both score: **A 2.00 nats per word**, **B 4.00 nats"),
        ([np.nan, np.nan, 6.0], "A scores 2 words and B 1, and none is the same"),
    ],
)
def test_two_losses_are_means_over_the_same_words(of_b: list[float], said: str) -> None:
    assert said in describe_losses(SCORED, np.array(of_b), "word")


def test_a_word_that_one_of_two_models_may_see_is_predicted_by_the_other_alone() -> None:
    page = Asked("explorer", view="compare", mask="causal", b_mask="prefix", b_positions="as A", place=1)
    text = " ".join(page.markdown)
    assert "may attend to it, so there is nothing to predict" in text
    assert "None" not in text


def test_the_caption_of_a_network_with_other_weights_does_not_call_it_trained() -> None:
    link = {"follow": "Jacobians", "recurrence": "orthogonal", "scale_of_weights": 3}
    caption = Asked("gradients", view="distance", **link).sheet.caption
    assert caption is not None
    assert caption.models is not None
    assert caption.models() == ("RNN with random weights: 2 layers, orthogonal recurrent weights × 3",)
