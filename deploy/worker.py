"""One process of the app, which listens only when the app is loaded.

`streamlit run` listens first and then loads the app for some seconds. Requests from nginx would wait in this
time, because the process accepts connections. Here the app is loaded first, and `streamlit run` finds it
loaded.
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
