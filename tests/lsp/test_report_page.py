"""The report as a page: texts as they are in the editor, and verdicts as far as they have come."""

from __future__ import annotations

from tests.lsp.conftest import broken, task, written
from tests.lsp.test_judging import command, endpoint, library, start
from tests.lsp.wire import PULL

__all__ = ["endpoint", "library"]

NO_VERDICT = "No verdict"


def test_the_page_is_of_the_open_texts(client, folder):
    (folder / "tasks.json").write_text(written(task(1)), encoding="utf-8")
    server = client()
    server.initialize(folder, capabilities=PULL)
    server.open(folder / "tasks.json", written(broken(1), task(2)))
    page = command(server, "showReport", format="html")
    assert page.startswith("<!DOCTYPE html>")
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert "bok_visit" in page
    assert "<li>" in page, "findings stand beside their tasks"
    assert "bok_visit" not in (folder / "tasks.json").read_text()


def test_a_folder_without_a_benchmark_has_no_page(client, tmp_path):
    server = client()
    server.initialize(tmp_path, capabilities=PULL)
    assert command(server, "showReport", format="html") == ""


def test_the_page_tells_what_judges_have_said(client, library, endpoint):
    server, uri = start(client, library)
    before = command(server, "showReport", format="html")
    assert NO_VERDICT in before
    command(server, "judgeFile", uri=uri)
    after = command(server, "showReport", format="html")
    assert after.count(NO_VERDICT) < before.count(NO_VERDICT)
