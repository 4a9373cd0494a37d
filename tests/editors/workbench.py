"""A window of VS Code, as a user sees it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

UNDERLINED = """
() => {
  const words = [];
  for (const mark of document.querySelectorAll('.monaco-editor [class*="squiggly-"]')) {
    const place = mark.getBoundingClientRect();
    for (const line of mark.closest('.monaco-editor').querySelectorAll('.view-line')) {
      const box = line.getBoundingClientRect();
      if (Math.abs(box.top - place.top) > box.height / 2) continue;
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      let word = '';
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let index = 0; index < node.length; index += 1) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const letter = range.getBoundingClientRect();
          const middle = (letter.left + letter.right) / 2;
          if (place.left <= middle && middle <= place.right) word += node.data[index];
        }
      }
      const severity = [...mark.classList].find((name) => name.startsWith('squiggly-')).slice(9);
      words.push([severity, word.replaceAll('\\u00a0', ' ')]);
    }
  }
  return words;
}
"""
"""What stands over each squiggle that is drawn: its severity, and the letters whose middle lies over it."""


class Workbench:
    """A window; `folder` is what it shows."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def wait(self) -> None:
        """Wait until the window is drawn."""
        self.page.locator(".monaco-workbench .statusbar-item").first.wait_for()

    # The editor

    def editor(self, file: str) -> Locator:
        """The editor of a file that is shown."""
        return self.page.locator(f'.monaco-editor[data-uri$="/{file}"]')

    def open(self, file: str) -> None:
        """Open a file of the folder and put the cursor into it."""
        self.page.keyboard.press("Control+P")
        self.page.locator(".quick-input-widget input").fill(file)
        row = self.page.locator(".quick-input-list .monaco-list-row.focused", has_text=file.rsplit("/", 1)[-1])
        row.wait_for()
        self.page.keyboard.press("Enter")
        self.editor(file).wait_for()
        self.page.wait_for_function("() => document.activeElement?.closest('.monaco-editor') !== null")

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the cursor at a place of the file that is shown, counted from 1."""
        self.page.keyboard.press("Control+G")
        self.page.locator(".quick-input-widget input").fill(f":{line}:{column}")
        self.page.keyboard.press("Enter")
        self.page.locator(".statusbar-item", has_text=f"Ln {line}, Col {column}").wait_for()

    def focus(self) -> None:
        """Put the cursor back into the editor."""
        self.page.keyboard.press("Control+1")
        self.page.wait_for_function("() => document.activeElement?.closest('.monaco-editor') !== null")

    def find(self, text: str) -> None:
        """Put the cursor before the first occurrence of a text in the file on the disk, which is that shown."""
        file = self.page.locator(".editor-group-container.active .monaco-editor[data-uri]").get_attribute("data-uri")
        name = (file or "").rsplit(f"{self.folder}/", 1)[-1]
        before = (self.folder / name).read_text(encoding="utf-8").split(text, 1)[0]
        line = before.count("\n") + 1
        self.go_to(line, len(before.rsplit("\n", 1)[-1]) + 1)

    def replace(self, text: str, new: str) -> None:
        """Put something in the place of the first occurrence of a text, by typing."""
        self.find(text)
        for _ in text:
            self.page.keyboard.press("Shift+ArrowRight")
        self.page.keyboard.insert_text(new)

    def save(self) -> None:
        """Save the file that is shown and was changed, and wait until it is."""
        self.page.locator(".tab.active.dirty").wait_for()
        self.focus()
        self.page.keyboard.press("Control+S")
        self.page.locator(".tab.active:not(.dirty)").wait_for()

    def underlined(self) -> list[tuple[str, str]]:
        """Return what is underlined on the screen: severity and words."""
        return [(severity, words) for severity, words in self.page.evaluate(UNDERLINED)]

    def wait_underlined(self, words: str, there: bool = True) -> None:
        """Wait until words on the screen are underlined, or no longer are."""
        look = f"(words) => ({UNDERLINED})().some(([, found]) => found.includes(words))"
        self.page.wait_for_function(look if there else look.replace("=> (", "=> !(", 1), arg=words)

    def hover(self, text: str) -> str:
        """Show the hover at the cursor, wait until it says something, and return all that it says."""
        self.page.keyboard.press("Control+K")
        self.page.keyboard.press("Control+I")
        widget = self.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content", has_text=text).first
        widget.wait_for()
        return widget.inner_text()

    def lens(self, title: str) -> Locator:
        """The code lenses on the screen whose title has a part."""
        return self.page.locator(".codelens-decoration a", has_text=title)

    # Menus and panels

    def fixes(self) -> list[str]:
        """Show the quick fixes at the cursor, and return their titles."""
        self.page.keyboard.press("Control+.")
        rows = self.page.locator(".action-widget .monaco-list-row.action")
        rows.first.wait_for()
        return rows.all_inner_texts()

    def choose(self, title: str) -> None:
        """Choose a quick fix of those that are shown."""
        rows = self.page.locator(".action-widget .monaco-list-row.action")
        chosen = self.page.locator(".action-widget .monaco-list-row.action.focused", has_text=title)
        for _ in range(rows.count()):
            if chosen.is_visible():
                break
            self.page.keyboard.press("ArrowDown")
        chosen.wait_for()
        self.page.keyboard.press("Enter")
        self.page.locator(".action-widget").wait_for(state="hidden")

    def confirm(self) -> None:
        """Tick all that the refactor preview shows, and apply it."""
        pane = self.page.locator(".refactor-preview-panel, .bulk-edit-panel").first
        pane.wait_for()
        pane.locator(".monaco-list-row input[type=checkbox]").first.check()
        pane.get_by_role("button", name="Apply").click()

    def problems(self) -> Locator:
        """Show the Problems panel, and return its rows."""
        panel = self.page.locator(".markers-panel")
        if not panel.is_visible():
            self.page.keyboard.press("Control+Shift+M")
        panel.wait_for()
        return panel.locator(".monaco-list-row")

    def command(self, title: str) -> None:
        """Run a command from the palette."""
        row = self._palette(title).filter(has_text=title)
        row.wait_for()
        self.page.keyboard.press("Enter")
        row.wait_for(state="hidden")

    def has_command(self, title: str) -> bool:
        """Say whether the palette offers a command."""
        row = self._palette(title)
        row.wait_for()
        found = title in row.inner_text()
        self.page.keyboard.press("Escape")
        return found

    def _palette(self, title: str) -> Locator:
        """Type into the palette, and return the row that it proposes. A key would not come through a web view."""
        self.page.locator(".command-center-center").click()
        self.page.locator(".quick-input-widget input").fill(f">{title}")
        return self.page.locator(".quick-input-list .monaco-list-row.focused")

    def walkthrough(self) -> None:
        """Show the extension's walkthrough."""
        self.command("Welcome: Open Walkthrough...")
        self.page.locator(".quick-input-widget input").fill("benchlint")
        self.page.locator(".quick-input-list .monaco-list-row.focused", has_text="benchlint").wait_for()
        self.page.keyboard.press("Enter")
        self.page.locator(".monaco-button:visible", has_text="Set up").first.wait_for()

    def step(self, title: str, *, done: bool) -> Locator:
        """A step of the walkthrough that is shown, ticked or not."""
        state = "Completed" if done else "Not completed"
        return self.page.get_by_role("checkbox", name=f"Checkbox for Step {title}: {state}", exact=True)

    def trust(self) -> None:
        """Trust the folder."""
        self.command("Workspaces: Manage Workspace Trust")
        self.page.get_by_role("button", name="Trust", exact=True).first.click()

    def count(self, findings: int) -> None:
        """Wait until the status bar counts so many findings."""
        self.page.get_by_role("button", name=re.compile(rf"benchlint {findings}\b")).wait_for()

    def status(self) -> Locator:
        """The extension's item in the status bar."""
        return self.page.locator('.statusbar-item[id^="benchlint"]')

    def notice(self, text: str) -> Locator:
        """A notification, by a part of what it says."""
        return self.page.locator(".notification-list-item", has_text=text)
