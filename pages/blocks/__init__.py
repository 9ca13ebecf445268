"""Blocks: the parts of a block around attention, and their purposes."""

from pages.blocks import feed_forward, layer_norm, pre_and_post, residual
from pages.contract.view import Page

PAGE = Page(
    question="What does a block put around attention, and why?",
    views={
        "layer norm": layer_norm.layer_norm,
        "residual": residual.residual,
        "pre and post": pre_and_post.pre_and_post,
        "feed-forward": feed_forward.feed_forward,
    },
)
