"""True means may look: masks written out by hand, broadcast, combined, and opposite to torch's."""

import pytest
import torch
from torch import Tensor

from core.model.masks.combining import (
    arbitrary,
    bidirectional,
    causal,
    next_is_hidden,
    padding,
    prefix,
    window,
)
from tests.covering import each


def drawn(*rows: str) -> Tensor:
    """Return a mask as a picture: # may look, . may not."""
    return torch.tensor([[cell == "#" for cell in row] for row in rows])


def test_a_causal_query_sees_itself_and_earlier_words() -> None:
    assert torch.equal(causal(5, 5)[0, 0], drawn("#....", "##...", "###..", "####.", "#####"))
    assert torch.equal(causal(2, 5)[0, 0], drawn("#....", "##..."))
    assert torch.equal(causal(3, 2)[0, 0], drawn("#.", "##", "##"))


@each(
    ("width", "expected"),
    [(0, ["#....", ".#...", "..#..", "...#.", "....#"]), (3, ["####.", "#####", "#####", "#####", ".####"])],
)
def test_a_window_reaches_as_far_on_either_side(width: int, expected: list[str]) -> None:
    assert torch.equal(window(5, 5, width=width)[0, 0], drawn(*expected))


def test_padding_hides_the_keys_beyond_each_length_from_every_query_and_head() -> None:
    mask = padding(torch.tensor([3, 0, 5]), 5)
    assert tuple(mask.shape) == (3, 1, 1, 5)
    assert torch.equal(mask[:, 0, 0], drawn("###..", ".....", "#####"))


def test_a_mask_is_born_on_the_device_asked_for() -> None:
    cpu, length = torch.device("cpu"), torch.tensor([2])
    with torch.device("meta"):
        made = [causal(3, 5, device=cpu), window(3, 5, width=1, device=cpu), bidirectional(3, 5, device=cpu)]
        made += [prefix(3, 5, length=2, device=cpu), prefix(3, 5, length=length, device=cpu)]
    assert [mask.device.type for mask in made] == ["cpu"] * 5


def test_impossible_masks_are_refused_with_the_numbers() -> None:
    with pytest.raises(ValueError, match="width must be at least 0, got -1"):
        window(3, 5, width=-1)
    with pytest.raises(ValueError, match="length must be at least 0, got -1"):
        prefix(3, 5, length=-1)
    with pytest.raises(ValueError, match="lengths must be at most n_keys, got 7 and 5"):
        padding(torch.tensor([2, 7]), 5)
    with pytest.raises(ValueError, match=r"a matrix of booleans, got 2 axes of torch\.float32"):
        arbitrary(torch.ones(3, 5))
    with pytest.raises(ValueError, match=r"a matrix of booleans, got 3 axes of torch\.bool"):
        arbitrary(torch.ones(2, 3, 5, dtype=torch.bool))


@each(
    ("length", "expected"),
    [
        (0, ["#....", "##...", "###..", "####.", "#####"]),
        (3, ["###..", "###..", "###..", "####.", "#####"]),
        (7, ["#####"] * 5),
    ],
)
def test_a_prefix_is_seen_by_all_and_later_words_are_causal(length: int, expected: list[str]) -> None:
    assert torch.equal(prefix(5, 5, length=length)[0, 0], drawn(*expected))


def test_a_prefix_has_a_length_for_each_row_of_a_batch() -> None:
    lengths = torch.tensor([3, 0, 5])
    found = prefix(5, 5, length=lengths)
    assert tuple(found.shape) == (3, 1, 5, 5)
    for row, length in zip(found, lengths.tolist(), strict=True):
        assert torch.equal(row, prefix(5, 5, length=length)[0])


def test_the_next_word_is_hidden_where_its_key_is_in_every_head() -> None:
    painted = drawn("#.##.", "##.#.", "..#..", "#.#..", "#####")
    assert next_is_hidden(arbitrary(painted)).tolist() == [[True, True, True, True, True]]
    shown = painted.clone()
    shown[1, 2] = shown[3, 4] = True
    assert next_is_hidden(arbitrary(shown)).tolist() == [[True, False, True, False, True]]
    heads = torch.stack([painted, shown])[None]
    assert next_is_hidden(heads).tolist() == [[True, False, True, False, True]]
    rows = torch.stack([shown, painted])[:, None]
    assert next_is_hidden(rows)[0].tolist() == [True, False, True, False, True]
    assert next_is_hidden(rows)[1].all()
