"""Numbers in a formula: none that is not zero is written as one."""


def decimal(number: float, places: int = 3) -> str:
    """A number with so many decimals, or times a power of ten where they would be nothing but zeros."""
    shown = f"{number:z.{places}f}"  # z: a rounded zero without a sign
    return shown if number == 0 or float(shown) != 0 else power(number, digits=places)


def power(number: float, *, digits: int = 3) -> str:
    """A number with so many digits, times a power of ten."""
    mantissa, exponent = f"{number:.{digits - 1}e}".split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
