"""Language models at work: what they write, how likely they find it, what they keep, and what it costs."""
