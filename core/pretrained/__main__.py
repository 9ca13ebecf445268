"""Fetches the real model that comes with the app: `python -m core.pretrained`."""

import sys

from core.pretrained.minilm import FOLDER, fetch


def main() -> int:
    """Say in one sentence whether MiniLM is there, and return 0 if it is."""
    try:
        fetch()
    except OSError as error:  # FetchError is one, and so is a full disk
        print(f"MiniLM is not there, and the app does without it: {error}", file=sys.stderr)
        return 1
    print(f"MiniLM is in {FOLDER}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
