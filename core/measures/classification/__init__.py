"""What a classifier makes of a review: its verdict, and what each word contributes."""
