"""The message about a text that is too long: the same words everywhere."""


def too_long(what: str, most: int, has: int, unit: str, *, called: str = "this one") -> str:
    """Return a message such as “MiniLM reads sentences of up to 512 pieces; this one has 600.”.

    `what` is `MiniLM reads` here. `unit` is the unit of the length, a word or a piece; `called` names the
    sentence if there are two.
    """
    return f"{what} sentences of up to {most:,} {unit}s; {called} has {has:,}."
