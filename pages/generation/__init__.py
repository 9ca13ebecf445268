"""Generation: language models that continue a text, one word at a time."""

from pages.contract.view import Page
from pages.generation import memory, one_model, side_by_side, surprisal
from pages.generation.writer import choose_writer

PAGE = Page(
    question="How does a model write a text, one word at a time?",
    views={
        "side by side": side_by_side.side_by_side,
        "surprisal": surprisal.surprisal,
        "memory": memory.memory,
        "one model": one_model.one_model,
    },
    choose=choose_writer,
)
