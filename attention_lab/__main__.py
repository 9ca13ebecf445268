"""Commands of the app: `python -m attention_lab serve` serves it on this machine."""

import argparse
import sys
from collections.abc import Sequence

from attention_lab import doctor, installing, serving

COMMANDS = {"install": installing, "doctor": doctor, "serve": serving}
"""The modules of the commands: each adds its options and runs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name, and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m attention_lab", description="Attention Lab")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        said = str(module.__doc__).partition("\n")[0]
        command = commands.add_parser(name, help=said, description=said)
        module.add_options(command)
        command.set_defaults(run=module.run)
    asked = parser.parse_args(arguments)
    return int(asked.run(asked))


if __name__ == "__main__":
    sys.exit(main())
