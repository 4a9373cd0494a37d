"""benchlint: a linter for benchmarks of conversational agents.

The package's public interface is `lint`, which returns a `Report`, and
`report`, which returns the numbers of benchmarks.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchlint.api import Report, lint, report

__version__ = "0.1.0"
__all__ = ["Report", "__version__", "lint", "report"]


def __getattr__(name: str) -> Any:
    """Import the interface on first use: `import benchlint` alone stays cheap."""
    if name in ("Report", "lint", "report"):
        from benchlint import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
