"""The parts of the training page: the plan, what can be asked, the state of things, the pictures."""
