"""The benchmark of the server's tests."""

from tests.lsp.conftest import folder

__all__ = ["folder"]
