"""Markdown as plain text."""

from figures.plain import as_html, plain, quoting
from pages.contract.prose import Typed
from tests.covering import each
from tests.figures.made_up import HOSTILE


@each(
    ("markdown", "seen"),
    [
        ("**Only *so* differs**, by 3 %.", "Only so differs, by 3 %."),
        ("As [the note *says*](/sources?view=documents), `q` and $k$.", "As the note says, q and k."),
        (r"1\. a \* b \[c\](d)", "1. a * b [c](d)"),
        ("5 * 3 * 2 = 30, 2 $ and 3 $", "5 * 3 * 2 = 30, 2 $ and 3 $"),
        ("first\n\nsecond", "first\n\nsecond"),
        (r"**A score $e_j = q^\top h_j$ divided by $\sqrt d$**", "A score eⱼ = qᵀ hⱼ divided by √d"),
        (r"$e_j = q\,W h_j^\top$", "eⱼ = q W hⱼᵀ"),
        (r"$$\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d}}\right)V$$", "softmax((QKᵀ) / √d)V"),
        ("`a * b` and *c*", "a * b and c"),
        ("", ""),
    ],
)
def test_visible_text_of_a_sentence_stays(markdown: str, seen: str) -> None:
    assert plain(markdown) == seen


@each("typed", [HOSTILE, "*a* **b** `c` $d$ [e](f) \\ _g_ -> :smile:"])
def test_typed_signs_stay_as_typed(typed: str) -> None:
    assert plain(f"*{Typed(typed):200}* stays") == f"{typed} stays"


@each(
    ("markdown", "quoted", "html"),
    [
        ("**Only *so* differs**, by 3 %.", "Only “so” differs, by 3 %.", "Only <em>so</em> differs, by 3 %."),
        (
            "In head 3, *and* gives 91 %.",
            "In head 3, “and” gives 91 %.",
            "In head 3, <em>and</em> gives 91 %.",
        ),
        ("**bold** and 5 * 3 * 2", "bold and 5 * 3 * 2", "bold and 5 * 3 * 2"),
        (r"*a \* <b>*", "“a * <b>”", "<em>a * &lt;b&gt;</em>"),
        (r"a \*b\* c", "a *b* c", "a *b* c"),
        ("`a * b` and *c*", "a * b and “c”", "a * b and <em>c</em>"),
    ],
)
def test_quoted_words_keep_their_italics(markdown: str, quoted: str, html: str) -> None:
    assert quoting(markdown) == quoted
    assert as_html(markdown) == html


@each("typed", [HOSTILE, "*a* **b** `c` $d$ [e](f) \\ _g_ \ue001x"])
def test_typed_signs_make_no_italics(typed: str) -> None:
    assert quoting(f"*{Typed(typed):200}* stays") == f"“{typed}” stays"
    found = as_html(f"*{Typed(typed):200}* stays")
    assert (found.count("<em>"), found.count("</em>"), "<script" in found) == (1, 1, False)
