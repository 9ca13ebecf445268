"""Groups of numbers of words, as a sentence names them."""

from collections.abc import Sequence

from words import enumerated


def where(groups: Sequence[int], words: Sequence[str], *, all_of_them: str) -> str:
    """Return some of the groups, counted from 0, whose ranges are `words`: `at 6–10 words and more`.

    `groups` are in order, and `all_of_them` is returned for all. Groups without a gap up to one end are named
    by their other end; other groups are named one by one.
    """
    if len(groups) == len(words):
        return all_of_them
    first, last = groups[0], groups[-1]
    if len(groups) > 1 and len(groups) == last - first + 1:
        if last == len(words) - 1:
            return f"at {words[first]} words and more"
        if first == 0:
            return f"up to {words[last]} words"
    named = enumerated([words[group] for group in groups])
    return f"at {named} words"
