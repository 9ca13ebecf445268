"""The last lines of a program: its numbers on the screen, a row for each word."""


def printing_rows(matrix: str, *, digits: int = 3) -> str:
    """Lines that print `matrix`, an expression with one row for each of `words`."""
    return (
        f"for word, row in zip(words, {matrix}):\n"
        f'    print(f"{{word:>12}}", *(f"{{value:.{digits}f}}" for value in row.tolist()))'
    )
