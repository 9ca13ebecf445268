"""What a block puts around attention, and what each part of it does."""
