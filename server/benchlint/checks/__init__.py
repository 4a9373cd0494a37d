"""Rules that need no model: one module a group of rules."""
