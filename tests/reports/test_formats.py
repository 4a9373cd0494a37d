import subprocess
import sys

import pytest

from benchlint.reports.formats import FORMATS, Options, load, render
from benchlint.reports.report import Report


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_lines_that_utf8_can_hold(name: str, full) -> None:
    for report in (full, Report()):
        text = render(report, name, Options())
        text.encode()
        assert text.endswith("\n") or (name == "github" and not report.rows)
    assert load(name).__doc__


def test_an_unknown_format() -> None:
    with pytest.raises(KeyError):
        load("yaml")


def test_formats_are_imported_on_first_use() -> None:
    program = (
        "import sys, benchlint.reports.formats as formats;"
        "print([name for name in formats.FORMATS.values() if f'benchlint.reports.{name}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
