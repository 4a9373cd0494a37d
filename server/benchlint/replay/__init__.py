"""A domain's own tools, run on the expected actions in a child process."""
