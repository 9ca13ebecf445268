"""What is wrong with a folder, in a sentence that a page can show."""


class FolderError(ValueError):
    """A folder that cannot be read as a model: the message says which part of it, and what was expected."""
