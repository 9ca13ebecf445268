"""Architectures: whole models drawn as they compute, with the results of every part."""

from functools import partial

from core.measures.architectures.models import trained_pair
from pages.architectures import encoder_decoder, encoder_or_decoder, recurrent
from pages.contract.switches import architecture
from pages.contract.view import Page

PAGE = Page(
    choose=partial(architecture, is_random=lambda config: trained_pair(config) is None),
    question="What makes a Transformer an encoder, a decoder, or both?",
    views={
        "encoder or decoder": encoder_or_decoder.encoder_or_decoder,
        "encoder–decoder": encoder_decoder.encoder_decoder,
        "recurrent": recurrent.recurrent,
    },
)
