"""The state of a session: what its link says, what the visitor changes, and the controls that show it."""
