"""Rows of cross-attention are the same step by the same name on every page that draws them."""

from typing import Any

from core.text import language
from core.text.tokenizer import words_of
from core.text.translation import END, translate
from pages.architectures.part import FIRST, READ
from pages.translation.kinds import CROSS, ROWS
from tests.covering import each
from tests.pages.asked import Asked

KEY = "the key that the gardeners sold is heavy ."
WRITTEN = (*translate(language.parse(words_of(KEY))).words, END)
WRITES, ATTENDS = "query:<br>decoder ↓", "query:<br>attends ↓"


def rows(session: Asked, picture: str) -> tuple[tuple[str, ...], str]:
    """Return the names of the rows of a matrix, and the title above them."""
    layout = session.figure(picture)["layout"]
    names = [name.replace("&lt;", "<").replace("&gt;", ">") for name in layout["yaxis"]["ticktext"]]
    (title,) = [note["text"] for note in layout["annotations"] if note["text"].startswith("query:")]
    return tuple(names), title


@each(
    ("page", "view", "picture", "more"),
    [
        ("translation", "cross-attention", "alignment", {"translator": "LSTM"}),
        ("architectures", "encoder–decoder", "computed", {"inside": "scores"}),
    ],
)
def test_a_row_is_the_step_that_writes_this_word(
    page: str, view: str, picture: str, more: dict[str, Any]
) -> None:
    session = Asked(page, view=view, text=KEY, **more)
    names, title = rows(session, picture)
    assert names == WRITTEN[: len(names)]
    assert len(names) >= len(WRITTEN) - 1
    assert title == WRITES
    assert ROWS[CROSS] in session.prose


@each(("kind", "first"), [("encoder", "the"), ("decoder", "<s>")])
def test_a_row_of_self_attention_is_a_word_that_was_read(kind: str, first: str) -> None:
    names, title = rows(Asked("translation", view="cross-attention", text=KEY, kind=kind), "alignment")
    assert (names[0], title) == (first, ATTENDS)


def test_vectors_of_a_decoder_are_named_by_the_words_read_and_say_so() -> None:
    session = Asked("architectures", view="encoder–decoder", text=KEY, inside="output")
    assert session.figure("computed")["layout"]["yaxis"]["ticktext"][0] == "&lt;s&gt;"
    assert READ in session.prose
    session = Asked("architectures", view="encoder–decoder", text=KEY, inside="keys")
    assert session.figure("computed")["layout"]["yaxis"]["ticktext"][0] == "the"
    assert READ not in session.prose


def test_without_a_translation_the_only_step_writes_an_unknown_word() -> None:
    session = Asked("architectures", view="encoder–decoder", text="the xyzzy")
    assert rows(session, "computed") == ((FIRST,), WRITES)
