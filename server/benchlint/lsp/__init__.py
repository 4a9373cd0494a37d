"""The language server: one module a request, no logic in it; adds scheduling, nothing else."""
