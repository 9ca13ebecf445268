"""Learning: tasks, training, evaluation, and trained weights on disk."""
