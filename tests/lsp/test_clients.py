"""The same work under the capabilities of real editors, through pytest-lsp."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from tests.lsp.conftest import broken, inline, task, written

SERVER = ClientServerConfig(server_command=[str(Path(sys.executable).parent / "benchlint"), "serve", "--stdio"])
PROFILES = ("visual-studio-code@v1.65.2", "visual-studio-code that pulls", "neovim@v0.7.0", "neovim@v0.11.0")
PULLS = PROFILES[1]


def capabilities_of(profile: str) -> types.ClientCapabilities:
    capabilities = client_capabilities(profile.removesuffix(" that pulls"))
    if profile == PULLS:
        assert capabilities.text_document is not None
        assert capabilities.workspace is not None
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(dynamic_registration=True)
        capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return capabilities


@pytest_lsp.fixture(config=SERVER, params=PROFILES)
async def editor(lsp_client: LanguageClient, request: pytest.FixtureRequest, folder: Path):
    lsp_client.profile = request.param
    lsp_client.published = []

    lsp_client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = lsp_client.published.append
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities_of(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="tests")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, path: Path, text: str) -> str:
    item = types.TextDocumentItem(uri=path.as_uri(), language_id="json", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    return path.as_uri()


async def diagnostics(client: LanguageClient, uri: str, version: int) -> list[types.Diagnostic]:
    """Return the diagnostics of a version, by the way that the client gets them."""
    if client.profile == PULLS:
        params = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=uri))
        report = await client.text_document_diagnostic_async(params)
        return list(report.items)
    while True:
        for params in client.published:
            if params.uri == uri and params.version == version:
                return list(params.diagnostics)
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


@pytest.mark.asyncio
async def test_diagnostics_come_once_and_a_quick_fix_is_right(editor: LanguageClient, folder: Path) -> None:
    text = inline(written(broken(1), task(2)))
    (folder / "tasks.json").write_text(text, encoding="utf-8")
    uri = opened(editor, folder / "tasks.json", text)
    (found,) = await diagnostics(editor, uri, 1)
    assert found.code == "unknown-tool"
    actions = await editor.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=uri),
            range=found.range,
            context=types.CodeActionContext(diagnostics=[found]),
        )
    )
    edit = actions[0].edit
    edits = edit.document_changes[0].edits if edit.document_changes else edit.changes[uri]
    changes = [types.TextDocumentContentChangePartial(range=item.range, text=item.new_text) for item in edits]
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    editor.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=identifier, content_changes=changes)
    )
    assert await diagnostics(editor, uri, 2) == []
    command = types.ExecuteCommandParams(command="benchlint.showReport")
    assert "unknown-tool" not in await editor.workspace_execute_command_async(command)
    own = [params.version for params in editor.published if params.uri == uri]
    assert own == ([] if editor.profile == PULLS else [1, 2])
