"""Compiled policy items over views of records."""
