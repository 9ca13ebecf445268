"""Every line of a deck's file is read as TOML reads it, or refused with its number and the reason."""

import tomllib
from codecs import BOM_UTF8, BOM_UTF16_LE
from random import Random

import pytest

from pages.lecture.deck_file import MOST_BYTES, DeckError, decoded, read_lines
from tests.covering import each

WHOLE = '''# A comment.
title = "Of \\"masks\\" \\\\ é"   # another

[[ step ]]
link='/masking?view=paint' #
notes = """
"Say" ""this"", \\
    then
that.""""
covered = true
[[step]]
notes = \'\'\'\\frac{a}{b} 'x'\'\'\'
question = ""
'''


def refusal(toml: str) -> str:
    with pytest.raises(DeckError) as refused:
        read_lines(toml)
    return str(refused.value)


def test_fields_are_read_as_toml_reads_them_and_each_has_its_line() -> None:
    fields, lines = read_lines(WHOLE)
    assert fields == tomllib.loads(WHOLE)
    assert fields["step"][0]["notes"] == '"Say" ""this"", then\nthat."'
    assert lines == {
        (0, "title"): 2,
        (1, ""): 4,
        (1, "link"): 5,
        (1, "notes"): 6,
        (1, "covered"): 10,
        (2, ""): 11,
        (2, "notes"): 12,
        (2, "question"): 13,
    }


@each("seed", range(1000))
def test_the_reader_agrees_with_toml(seed: int) -> None:
    draw = Random(seed)
    text = "".join(draw.choices('""\'\\\n\t #=[]anu0é', k=draw.randrange(13)))
    quotes = draw.choice(['"""', "'''", '"', "'"])
    toml = f"[[step]]\nnotes = {quotes}{text}{quotes}\n"
    try:
        fields, _ = read_lines(toml)
    except DeckError:
        return
    assert fields == tomllib.loads(toml)


@each(
    "line",
    [
        *("a.b = 1", "a" + ".a" * 20_000 + " = 1", "[a]", "[[step.a]]"),
        *("'a' = ''", '"a" = ""', "a", "= ''", "é = ''", '"""', "{a.b = 1}"),
    ],
)
def test_a_line_that_no_deck_needs_is_refused(line: str) -> None:
    assert refusal(f"title = ''\n[[step]]\n{line}\n").startswith("Line 3: expected [[step]] or a field")


@each(
    "value", [*("1", "[]", "[" * 5000, "{a = " * 5000, "1" * 5000, "", "trueish", "# no value", "/masking")]
)
def test_a_value_that_is_no_text_is_refused(value: str) -> None:
    assert refusal(f"\nnotes = {value}\n").startswith("Line 2: notes has to be a text in quotes, got “")


@each("head", ["[step]", "step = []", "step.link = 'a'", "[step.a]"])
def test_a_step_written_otherwise_is_refused(head: str) -> None:
    assert refusal(f"\n{head}").startswith("Line 2: each step begins with [[step]]")


@each(
    ("toml", "said"),
    [
        ("title = 'a'\ntitle = 'b'\n", "Line 2: title is given twice."),
        ("[[step]] link = 'a'", "Line 1: expected the end of the line, got “link = 'a'”."),
        ('title = "a "b" c"', 'Line 1: expected the end of the line, got “b" c"”.'),
        ('title = "a\n', 'Line 1: title has a text that begins with " and does not end on this line.'),
        ("\ntitle = 'a\n'", "Line 2: title has a text that begins with ' and does not end on this line."),
        ('notes = """a\n""\n', 'Line 1: notes has a text that begins with """ and does not end.'),
        ("notes = '''a''''''", "Line 1: notes has a text that begins with ''' and does not end."),
        ('\nnotes = """\n\na""" b', "Line 4: expected the end of the line, got “b”."),
    ],
)
def test_an_error_has_its_line(toml: str, said: str) -> None:
    assert refusal(toml) == said


@each(
    ("written", "line", "said"),
    [
        ('"""\\frac{a}{b} \\theta"""', 3, "\\frac is read as a form feed: write \\\\frac, or use '''"),
        ('"""\na\n$\\theta$"""', 5, "\\theta is read as a tab: write \\\\theta, or use '''"),
        ('"\\beta"', 3, "\\beta is read as a backspace: write \\\\beta, or use ' in place of \""),
        ('"a \\rho"', 3, "\\rho is read as a carriage return: write \\\\rho"),
        (
            '"a\\nline"',
            3,
            "\\nline is read as a line end: write \\\\nline, or use ' in place of \". For a line end, ",
        ),
        ('"\\lambda"', 3, "\\lambda is not a TOML escape: write \\\\lambda"),
        ('"\\u000c"', 3, "U+000C is not allowed in a text"),
        ('"\\UFFFFFFFF"', 3, "U+FFFFFFFF is not allowed"),
    ],
)
def test_an_escape_that_spoils_a_formula_is_named_with_its_line(written: str, line: int, said: str) -> None:
    assert refusal(f"[[step]]\nlink = ''\nnotes = {written}").startswith(f"Line {line}: {said}")


def test_a_formula_is_kept_in_single_quotes_or_with_two_backslashes() -> None:
    for written in (
        "'''\\frac \\theta \\nabla'''",
        "'\\frac \\theta \\nabla'",
        '"\\\\frac \\\\theta \\\\nabla"',
    ):
        fields, _ = read_lines(f"title = {written}")
        assert fields == {"title": r"\frac \theta \nabla"}
    assert read_lines('title = "one\\n2\ttwo"')[0] == {"title": "one\n2\ttwo"}


@each("sign", ["\f", "\r", "\x7f", "\x85"])
@each("place", ["title = '{}'", "# {}", 'notes = """\n{}"""'])
def test_a_control_character_is_refused_with_its_line(sign: str, place: str) -> None:
    line = 2 + place.count("\n")
    said = refusal("\n" + place.replace("{}", sign))
    assert said == f"Line {line}: delete the control character U+{ord(sign):04X}."


@each(
    ("toml", "line", "sign"),
    [
        ("title = “Masks”", 1, "“"),
        ("title = «Masques»", 1, "«"),
        ('title = "Masks”', 1, "”"),
        ('notes = """a\n”””\n', 1, "”"),
        ("“title” = 'a'", 1, "“"),
    ],
)
def test_curly_quotes_are_named(toml: str, line: int, sign: str) -> None:
    said = refusal(toml)
    assert said.startswith(f"Line {line}: ")
    assert f"{sign} is a curly quote. TOML needs straight quotes" in said


@each("sign", ["\u00a0", "\u200b"])
@each("line", ["{}title = 'a'", "title ={}'a'", "title = 'a'{}"])
def test_a_blank_of_another_kind_is_named(sign: str, line: str) -> None:
    said = refusal("\n" + line.replace("{}", sign))
    assert said.startswith("Line 2: ")
    assert said.endswith(f": U+{ord(sign):04X} is not a TOML space: type an ordinary space.")


def test_curly_quotes_within_a_text_are_no_reason() -> None:
    assert read_lines("title = '“a”'")[0] == {"title": "“a”"}
    assert "curly" not in refusal('title = "“a” b')
    assert "curly" not in refusal('notes = """“a” b\n')


TEXT = "title = 'Für'\n"


def test_the_bytes_of_a_file_are_read_as_utf_8() -> None:
    assert decoded(TEXT.encode()) == TEXT
    assert read_lines(decoded(BOM_UTF8 + TEXT.replace("\n", "\r\n").encode()))[0] == {"title": "Für"}


@each(
    ("content", "said"),
    [
        (
            BOM_UTF16_LE + TEXT.encode("utf-16-le"),
            "This file is UTF-16, or not a text file: save it again as UTF-8.",
        ),
        (TEXT.encode("utf-16-le"), "This file is UTF-16"),
        (
            b"\n" + TEXT.encode("cp1252"),
            "Line 2: this file is not UTF-8, perhaps Windows-1252: save it again as UTF-8.",
        ),
        (b"\xff", "Line 1: this file is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "This file is UTF-16, or not a text file"),
        (b"#" * (MOST_BYTES + 1), "This deck is too large: a file has at most 2 MB."),
    ],
)
def test_a_file_that_is_not_utf_8_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(DeckError) as refused:
        decoded(content)
    assert str(refused.value).startswith(said)


def test_utf_16_that_a_browser_has_read_as_utf_8_is_named() -> None:
    assert (
        refusal("title = 'a'".encode("utf-16-le").decode())
        == "This file is UTF-16, or not a text file: save it again as UTF-8."
    )
