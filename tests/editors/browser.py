"""Debian's Chromium, driven by playwright."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Page, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZE = (1280, 800)
PATIENCE_MS = 60_000
"""How long a page is waited for; two cores may be busy with other tests."""


@contextmanager
def browsing(chromium: str, size: tuple[int, int] = SIZE, scale: float = 1, dark: bool = False) -> Iterator[Page]:
    """Open a page in a browser with a fresh profile; `size` is in CSS pixels, `scale` pixels each."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, chromium_sandbox=False)
        try:
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                device_scale_factor=scale,
                color_scheme="dark" if dark else "light",
                permissions=["clipboard-read", "clipboard-write"],
            )
            context.set_default_timeout(PATIENCE_MS)
            yield context.new_page()
        finally:
            browser.close()
