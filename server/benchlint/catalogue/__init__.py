"""Rules, read from their pages, and what they find."""
