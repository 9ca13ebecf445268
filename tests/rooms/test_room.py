"""Letters that are hard to guess and easy to read, a secret token, and a cookie that cannot be forged."""

from dataclasses import asdict

from rooms.room import LETTERS, N_LETTERS, code_of, new_room
from tests.covering import each


def test_letters_are_four_distinct_consonants() -> None:
    assert not set("AEIOUQV0123456789") & set(LETTERS)
    assert len(set(LETTERS)) ** N_LETTERS == 104_976
    assert len({new_room(0)[0].code for _ in range(50)}) > 40, "drawn anew for each room"


@each(
    ("typed", "code"),
    [
        *(("BCDF", "BCDF"), (" bcdf ", "BCDF"), ("BCD", None), ("BCDFG", None), ("BCDA", None)),
        *(("", None), ("B-DF", None), ("BCDF\n", "BCDF"), ("ＢＣＤＦ", None)),
    ],
)
def test_typed_letters_are_read_in_any_case(typed: str, code: str | None) -> None:
    assert code_of(typed) == code


def test_a_room_is_led_by_its_token_alone_which_is_not_kept() -> None:
    (one, token), (other, others) = new_room(0), new_room(0)
    assert one.is_led_by(token)
    assert not one.is_led_by(others)
    assert not one.is_led_by("")
    assert not one.is_led_by(one.owner)
    assert token not in str(asdict(one))
    assert other.owner != one.owner


def test_a_browser_has_a_name_that_does_not_reveal_its_cookie() -> None:
    one, other = new_room(0)[0], new_room(0)[0]
    cookie = one.new_cookie()
    name = one.browser(cookie)
    assert name is not None
    assert name == one.browser(cookie)
    assert name not in cookie
    assert one.browser(one.new_cookie()) != name
    assert other.browser(cookie) is None, "of another room"


@each("cookie", ["", ".", "a" * 32, f"{'a' * 32}.{'b' * 32}", "é" * 65])
def test_a_forged_cookie_does_not_count(cookie: str) -> None:
    assert new_room(0)[0].browser(cookie) is None


def test_the_code_has_a_key_that_cannot_be_guessed() -> None:
    one, other = new_room(0)[0], new_room(0)[0]
    assert one.has_key(one.key)
    assert not one.has_key(other.key)
    assert not one.has_key("")
    assert not one.has_key("é")
