"""The program about a pretrained encoder–decoder has it write, and prints what the page shows."""

from pathlib import Path

import numpy as np
import pytest

from core.measures.translation.attending import attending_in_pieces
from core.programs.pairs import pretrained_pair_program
from core.sources.pairs import load_pair
from tests.core.measures.translation.test_attending import TEXT, pair
from tests.programs import printed
from tests.real import one_model


@pytest.mark.parametrize(
    ("case", "kind", "layer", "head", "begins"),
    [
        ("bart", "cross-attention", 2, 1, ""),
        ("t5", "cross-attention", 1, 2, "the dog"),
        ("t5", "encoder", 1, 0, ""),
        ("bart", "decoder", 0, 1, "[SEP]"),
    ],
)
def test_the_program_writes_the_same_and_prints_the_weights_of_the_head(
    case: str, kind: str, layer: int, head: int, begins: str, no_real_model: Path
) -> None:
    pair(no_real_model / "pair", case, forced_bos_token_id=17)
    pieces = one_model("real/pair").split(TEXT).texts
    found = attending_in_pieces(load_pair("pair", pieces), begins)
    weights = {
        "cross-attention": found.attending.cross,
        "encoder": found.attending.encoder,
        "decoder": found.attending.decoder,
    }[kind]
    written = pretrained_pair_program(
        str(no_real_model / "pair"),
        pieces,
        found.source,
        (found.start, *found.target[: found.n_given]),
        ends=found.ends,
        longest=found.longest,
        kind=kind,
        layer=layer,
        head=head,
    )
    rows = np.array([line.split() for line in printed(written, alone=False).splitlines()], dtype=float)
    np.testing.assert_allclose(rows, weights[layer, head], atol=6e-3)
