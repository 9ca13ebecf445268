"""The position schemes one by one: their additions, their places, and their reach."""
