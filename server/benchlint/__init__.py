"""benchlint: a linter for benchmarks of conversational agents.

The package's public interface is `lint`, which returns a `Report`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchlint.api import Report, lint

__version__ = "0.1.0"
__all__ = ["Report", "__version__", "lint"]


def __getattr__(name: str) -> Any:
    """Import the interface on first use: `import benchlint` alone stays cheap."""
    if name in ("Report", "lint"):
        from benchlint import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
