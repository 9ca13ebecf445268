"""Quantities as people write them: three significant digits and the unit that suits them."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import floor, isnan

TIMES = {1.0: "s", 1e-3: "ms", 1e-6: "µs"}
COUNTS = {1e9: "G", 1e6: "M", 1e3: "k"}
BYTES = {1e9: "GB", 1e6: "MB", 1e3: "kB", 1.0: "B"}
"""Units by their size, the largest first."""

SMALLEST_SHORTENED = 10_000
PER_CENT = " %"

FEW_PARTS, ROUNDING = 6, 1e-4
"""Largest number of parts of a whole that a reader adds up, and how far their sum may be from the whole."""

SMALLEST_PLAIN, LARGEST_PLAIN = 1e-3, 1e4
"""A magnitude beyond these is written with a power of ten."""

SMALLEST_SIGNED = 5e-6
"""Smaller magnitudes are rounding errors of float32, and are written as 0."""

SMALLEST_IN_FULL = 0.005
SMALLEST_TENTH = 0.05
SMALLEST_IN_THOUSANDTHS = 0.01
SMALLEST_PROBABILITY = 0.0005
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def seconds(duration: float) -> str:
    """Return a duration: 12 µs, 0.5 µs, 999 ms, 2 s."""
    return _in_units(duration, TIMES)


def quantity(number: float) -> str:
    """Return a count, in full up to four digits: 169, 9,999, 10 k, 1.05 M."""
    if round(number) < SMALLEST_SHORTENED:
        return f"{number:,.0f}"
    return _in_units(number, COUNTS)


def memory(n_bytes: float) -> str:
    """Return an amount of memory in powers of 1000, with a no-break space: 676 B, 16.8 MB."""
    return _in_units(n_bytes, BYTES).replace(" ", "\N{NO-BREAK SPACE}")


def distance(amount: float) -> str:
    """How far two numbers are apart, to read at a glance: 0.42, 7·10⁻¹⁶, 0."""
    if amount == 0:
        return "0"
    if amount >= SMALLEST_IN_FULL:
        return f"{amount:.2f}"
    mantissa, exponent = f"{amount:.0e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def magnitude(amount: float) -> str:
    """Return a size of any order in two or three digits: 0.042, 3.1, 128, 7.8·10⁶."""
    if amount == 0 or SMALLEST_PLAIN <= amount < LARGEST_PLAIN:
        return f"{amount:,.0f}" if amount >= LARGEST_PLAIN / 100 else f"{amount:.{2 + (amount >= 1)}g}"
    return _power(amount)


def thousandths(amount: float) -> str:
    """Return a size with three decimals, or in powers of ten if these say little: 0.460, 7.8·10⁻⁶."""
    return f"{amount:.3f}" if amount == 0 or amount >= SMALLEST_IN_THOUSANDTHS else magnitude(amount)


def decimal(amount: float) -> str:
    """Return a number in two digits without a power of ten, as ticks have it: 0.00005, 0.0042, 3.1."""
    return f"{Decimal(f'{amount:.2g}'):f}"


def signed(amount: float) -> str:
    """Return a number with a real minus sign, none before a zero: −0.21, 3.1, 0."""
    size = magnitude(abs(amount)) if abs(amount) >= SMALLEST_SIGNED else "0"
    return f"−{size}" if amount < 0 and size != "0" else size


def two_decimals(number: float) -> str:
    """Return a number with two decimals and a real minus sign, none before a zero: −0.21, 3.10, 0.00."""
    return f"{number:z.2f}".replace("-", "−")


def three_decimals(number: float) -> str:
    """Return a number with three decimals and a real minus sign, none before a zero: −0.214, 3.100, 0.000."""
    return f"{number:z.3f}".replace("-", "−")


def magnitudes(amounts: Sequence[float]) -> list[str]:
    """Return sizes as ticks of one axis write them: all in full, or mostly as powers of ten."""
    if min(amounts) >= SMALLEST_PLAIN and max(amounts) < LARGEST_PLAIN:
        return [magnitude(amount) for amount in amounts]
    return [_power(amount) for amount in amounts]


def fraction(share: float) -> str:
    """Return a share as 1/n if it is one, such as 1/4; else with three digits."""
    whole = round(1 / share)
    return f"1/{whole}" if whole > 1 and abs(1 / share - whole) < 1e-6 * whole else f"{share:.3g}"


def per_cent(share: float) -> str:
    """Return a share to read at a glance: 37 %, 0.4 %, 99.6 %; 0 % is nothing, and 100 % is all."""
    if 0 < share < 0.0005:
        return f"<0.1{PER_CENT}"
    if 0.9995 <= share < 1:
        return f">99.9{PER_CENT}"
    return f"{100 * share:.{int(0 < share < 0.0095 or 0.9905 <= share < 1)}f}{PER_CENT}"


def per_cents(shares: Sequence[float]) -> list[str]:
    """Return shares as `per_cent` writes them; a few parts of a whole add up to 100: 6.6 %, 93.4 %."""
    plain = _each(shares)
    if not _is_whole(shares) or abs(sum(map(_written, plain)) - 100) < ROUNDING:
        return plain
    return _tenths(shares)


def rows_of_per_cents(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    """Return rows as `per_cents` writes each; if one needs decimals to add up, all wholes have them."""
    written = [per_cents(row) for row in rows]
    if all(row == _each(shares) for row, shares in zip(written, rows, strict=True)):
        return written
    return [_tenths(shares) if _is_whole(shares) else row for row, shares in zip(written, rows, strict=True)]


def _each(shares: Sequence[float]) -> list[str]:
    return [per_cent(share) if share >= 0 else "" for share in shares]


def _is_whole(shares: Sequence[float]) -> bool:
    """Return whether these are a few parts of a whole, which a reader adds up."""
    return len(shares) <= FEW_PARTS and abs(sum(shares) - 1) < ROUNDING


def _tenths(shares: Sequence[float]) -> list[str]:
    """Return parts of a whole with one decimal each, so that they add up."""
    tenths = [floor(1000 * share) for share in shares]
    cut = [1000 * share - tenth for share, tenth in zip(shares, tenths, strict=True)]
    for at in sorted(range(len(shares)), key=lambda at: -cut[at])[: 1000 - sum(tenths)]:
        tenths[at] += 1
    return [
        f"{tenth / 10:.1f}{PER_CENT}" if tenth else said
        for tenth, said in zip(tenths, _each(shares), strict=True)
    ]


def one_decimal(numbers: Sequence[float]) -> list[str]:
    """Numbers of about one size, such as nats: 0, 0.4, 3.1; one that is not there is empty."""
    return ["" if isnan(one) else f"{one:.1f}" if one >= SMALLEST_TENTH else "0" for one in numbers]


def _written(per_cent: str) -> float:
    """Return the number that a reader adds; a share too small to be written adds nothing."""
    number = per_cent.removesuffix(PER_CENT)
    if number.startswith("<"):
        return 0.0
    return 100.0 if number.startswith(">") else float(number)


def probability(share: float) -> str:
    """Return a probability to three digits, and 0 only if it is 0: 0.855, <0.001."""
    if share == 0:
        return "0"
    return f"{share:.3f}" if share >= SMALLEST_PROBABILITY else "<0.001"


def p_equals(share: float) -> str:
    """Return a probability for a sentence: p = 0.855, p < 0.001."""
    written = probability(share)
    return f"p < {written[1:]}" if written.startswith("<") else f"p = {written}"


def _power(amount: float) -> str:
    """Return a number as a multiple of a power of ten, in two digits; in full from 1 to below 100."""
    if 1 <= amount < 100:
        return f"{amount:.2g}"
    mantissa, exponent = f"{amount:.1e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"


def _in_units(amount: float, units: Mapping[float, str]) -> str:
    """`amount` in the largest unit that gives at least 1, or in the smallest."""
    # Rounding comes first: 999.9 ms would be 1000 ms afterwards instead of 1 s.
    rounded = float(f"{amount:.3g}")
    size = next((size for size in units if rounded >= size), min(units))
    value = rounded / size
    return f"{value:,.0f} {units[size]}" if value >= 1000 else f"{value:.3g} {units[size]}"


def counted(number: int, noun: str) -> str:
    """`1 word`, `2 words`, `2,048 words`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def count_heads(n_layers: int, n_heads: int) -> str:
    """Return `1 layer with 2 heads`, `2 layers with 4 heads each`."""
    each = "" if n_layers == 1 else " each"
    return f"{counted(n_layers, 'layer')} with {counted(n_heads, 'head')}{each}"


def each_of(number: int, noun: str) -> str:
    """Return `the only word`, `each of 2 words`."""
    return f"the only {noun}" if number == 1 else f"each of {counted(number, noun)}"


def part_of(part: int, whole: int, noun: str) -> str:
    """`none of 3 words`, `2 of 3 words`, `all 3 words`, `both words`, `the only word`, `no word`."""
    if whole == 1:
        return f"the only {noun}" if part else f"no {noun}"
    if part == whole:
        return f"both {noun}s" if whole == 2 else f"all {whole:,} {noun}s"
    return f"{f'{part:,}' if part else 'none'} of {whole:,} {noun}s"


def enumerated(names: Sequence[object]) -> str:
    """Names in a sentence: `one`, `one and two`, `one, two and three`."""
    told = [str(name) for name in names]
    return " and ".join(filter(None, [", ".join(told[:-1]), *told[-1:]]))
