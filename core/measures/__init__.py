"""Measures of models that pages show, by subject.

A measure takes a model with its words and never loads one, so a reader's own model is measured like ours.

`reading` is one sentence read by one model, as arrays; `prediction` has the words that a model expects, and
`scaling` tells why scores are divided. Each folder has one subject: `distance` how far apart two words are,
`order` what word order changes, `positions` what each scheme does, `masking` what a mask does, `heads`
what heads attend to, `blocks` what the rest of a block is for, `stages` what one head does step by step, and
`gradients` how far gradients reach.
"""
