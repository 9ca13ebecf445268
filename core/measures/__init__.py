"""What pages measure of a model, by subject.

`reading` is one sentence read by one model, as arrays, and `prediction` what the model expects of it. Each
folder asks one question: `distance` how far apart two words are, `order` what the order of words changes,
`positions` what each scheme does, `masking` what a mask does, `heads` what heads attend to, `blocks` what the
rest of a block is for, `stages` what one head does step by step; `scaling` why scores are divided. The sums
that several of them need are in `softmax`.
"""
