"""What is wrong with a folder, in a sentence that a page can show."""

LONGEST = 1000
"""Characters of a sentence: a folder can have names of any length."""


class FolderError(ValueError):
    """A folder that cannot be read as a model: the message says which part of it, and what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[:LONGEST]}…")
