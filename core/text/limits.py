"""What is said of a text that is too long for something: the same words everywhere."""


def too_long(what: str, most: int, has: int, unit: str, *, called: str = "this one") -> str:
    """`MiniLM reads sentences of up to 512 pieces; this one has 600.` is about what `MiniLM reads`.

    `unit` is what the length is counted in, a word or a piece; `called` is the sentence where there are two.
    """
    return f"{what} sentences of up to {most:,} {unit}s; {called} has {has:,}."
