"""Fetch the pretrained models that come with the app: `python -m core.pretrained`."""

import sys

from core.pretrained.fetched import ALL, is_there
from core.pretrained.fetching import fetch


def main() -> int:
    """Print one sentence on each model, and return 0 if all are there."""
    for one in ALL:
        if not is_there(one):
            print(f"Fetching {one.title}: {one.megabytes} MB, then {one.on_disk} MB on disk.", flush=True)
        try:
            fetch(one)
        except OSError as error:  # FetchError is an OSError, and so is a full disk
            print(f"{one.title} is not there, and the app does without it: {error}", file=sys.stderr)
        else:
            print(f"{one.title} is in {one.folder}.")
    return 0 if all(map(is_there, ALL)) else 1


if __name__ == "__main__":
    sys.exit(main())
