"""The state of a session: its link, the visitor's changes, and the controls that show it."""
