"""What runs in the user's Python: executed by its path, it imports nothing of benchlint."""
