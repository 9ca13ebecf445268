"""What a classifier makes of a review: its verdict, what each word contributes, and what it forgets."""
