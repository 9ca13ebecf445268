"""Generation: language models that go on with a text, one word at a time.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import CHEF
from pages.generation.cost import cost
from pages.generation.fed_back import fed_back
from pages.generation.memory import memory
from pages.generation.side_by_side import side_by_side
from pages.generation.surprisal import surprisal
from pages.generation.writer import OF_THE_MODEL, WRITER, choose_writer
from pages.shell import Page, View

STORES = CHEF.removesuffix(" is")
"""The verb that comes next, sooner or later, agrees with the second word, not with the last one."""

EXAMPLES = (
    STORES,
    "the",
    "near the",
    "mina lost her lamp but",
    "the key that the gardeners",
    "zuko praised maria and maria praised",
)

_of_all = partial(View, sentence=STORES, examples=EXAMPLES, switches=OF_THE_MODEL, one_model=False)
_of_one = partial(_of_all, switches=frozenset({WRITER}))

COST = "What does a text cost to learn from, and to write?"

PAGE = Page(
    question="How does a model write a text, one word at a time?",
    views={
        "side by side": _of_all(draw=side_by_side),
        "surprisal": _of_all(
            # What one model writes may surprise another: at first the text of the one that errs most.
            draw=surprisal,
            switches=OF_THE_MODEL | {WRITER},
            defaults={WRITER: "RNN"},
        ),
        "memory": _of_one(draw=memory, question="What does a model have of the words before?", about="head"),
        "cost": _of_all(draw=cost, switches=OF_THE_MODEL | {WRITER}, question=COST),
        "fed back": _of_one(draw=fed_back),
    },
    choose=choose_writer,
)
