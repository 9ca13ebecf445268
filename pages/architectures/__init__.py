"""Architectures: whole models drawn as they compute, and what every part of them computed.

The views stand in the order of the row of views.
"""

from functools import partial

from core.measures.architectures.models import trained_pair
from pages.architectures import models, parameters, recurrent
from pages.controls.examples import MARIA
from pages.controls.switches import WITHOUT_WINDOW
from pages.shell import Page, View
from pages.shell.five import five
from pages.shell.view import switched

OF_PAIR = WITHOUT_WINDOW - {"model", "mask"}
"""The switches of an encoder–decoder, whose masks are what makes it one."""

_stack = partial(
    View,
    sheet=five(
        ask=models.ask_stack,
        find=models.find_stack,
        sheet=models.stack_sheet,
        questions=models.stack_questions,
        program=models.stack_code,
    ),
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
    about="head",
)

PAGE = Page(
    choose=partial(switched, is_random=lambda config: trained_pair(config) is None),
    question="What makes a Transformer an encoder, a decoder, or both?",
    views={
        "encoder": _stack(defaults={"mask": "bidirectional"}),
        "decoder": _stack(),
        # With the switches as they are at first there is a trained one.
        "encoder–decoder": View(
            sheet=five(
                ask=models.ask_pair,
                find=models.find_pair,
                sheet=models.pair_sheet,
                questions=models.pair_questions,
                program=models.pair_code,
            ),
            sentence=MARIA,
            switches=OF_PAIR,
            about="head",
            defaults={"positions": "rotary", "layer": 2},
        ),
        "recurrent": recurrent.VIEW,
        "parameters": View(
            sheet=five(
                find=parameters.find,
                sheet=parameters.sheet,
                questions=parameters.questions,
                program=parameters.program,
            ),
            question="Where are the parameters of an encoder, a decoder, and both?",
            switches=OF_PAIR - {"seed"},
        ),
    },
)
