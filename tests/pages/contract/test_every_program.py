"""No program of a view goes uncompared with what the view shows."""

from tests.pages.asked import Asked
from tests.pages.test_one_thing import CASES
from tests.views import PAGES

COMPARED_ELSEWHERE = {
    ("step-by-step", "one head"): "stage by stage, in core/programs/test_steps.py",
    ("positions", "relative"): "as that of every scheme, in core/model/positions/test_every_scheme.py",
    ("positions", "length extrapolation"): "fewer sentences, in core/programs/test_extrapolation.py",
    ("masking", "the future"): "in core/programs/test_masking.py",
    ("heads", "two things"): "in core/programs/test_heads.py",
    ("blocks", "residual"): "every word of the norm chosen, in test_blocks.py",
    ("architectures", "encoder or decoder"): "names, shapes and norms, in test_architectures.py",
    ("architectures", "encoder–decoder"): "names, shapes and norms, in test_architectures.py",
    ("architectures", "recurrent"): "names, shapes and norms, in test_architectures.py",
    ("translation", "knock out"): "words, in test_translation.py",
    ("gradients", "distance"): "a shorter text, in core/programs/test_vanishing.py",
    ("training", "training"): "fewer steps, in core/programs/test_training.py",
    ("explorer", "head scores"): "it is that of the matrix",
    ("explorer", "similarity"): "vectors of a real model, in core/programs/test_real_model.py",
}
"""Views whose program prints what no picture has number by number, or takes long, and what compares it."""


def test_there_is_no_program_that_is_not_compared() -> None:
    programs = {
        (address, name)
        for address, page in PAGES.items()
        for name in page.views
        if Asked(address, view=name).program is not None
    }
    assert programs - {(case.page, case.view) for case in CASES} - {*COMPARED_ELSEWHERE} == set()
