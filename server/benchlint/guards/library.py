"""The CEL library, loaded when a guard is first compiled."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any


@cache
def cel() -> Any:
    """Return the compiled part of `common-expression-language`.

    The package's own `__init__` imports its command line, which takes 0.2 s;
    the extension alone takes a millisecond. It logs each error of a function
    that it calls; here such an error is an answer, and the log stays silent.
    """
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package = find_spec("cel")
    found = PathFinder.find_spec("cel.cel", package.submodule_search_locations) if package else None
    if found is None or found.loader is None:
        raise ModuleNotFoundError("common-expression-language is not installed", name="cel")
    module = module_from_spec(found)
    found.loader.exec_module(module)
    logging.getLogger("cel").setLevel(logging.CRITICAL)
    return module
