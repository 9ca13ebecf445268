"""What heads attend to, what they cost, and what is gained by several."""
