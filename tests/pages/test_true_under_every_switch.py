"""Sentences chosen by a condition, each under a switch with which another one would be false."""

from pages.contract.look import Look
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.pages.asked import Asked

TEA = "tea and tea"
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
            "positions tell layer 1 the order.",
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
            "the only head sees every word, in all 48 dimensions",
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
    ],
)
def test_a_sentence_is_true_under_a_switch_that_makes_another_one_false(
    address: str, link: dict[str, object], said: str, unsaid: str
) -> None:
    text = " ".join(Asked(address, **link).markdown)
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
