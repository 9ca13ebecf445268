"""One process of the app, which answers nobody before it can.

`streamlit run` listens first and loads the app then, some seconds long: what nginx sent it in between
would wait, for a connection that is accepted looks like a process that is there. Loaded first, the app is
found by `streamlit run` as it is.
"""

import sys
from pathlib import Path

from streamlit.web.cli import main

APP = Path(__file__).parents[1] / "app.py"


def serve(options: list[str]) -> None:
    """Load the app and serve it with these options of `streamlit run`."""
    sys.path.insert(0, str(APP.parent))
    import app  # noqa: F401

    sys.argv = ["streamlit", "run", str(APP), *options]
    main()


if __name__ == "__main__":
    serve(sys.argv[1:])
