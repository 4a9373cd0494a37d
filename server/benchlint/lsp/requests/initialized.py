"""`initialized`: what the server asks of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from benchlint.lsp.watching import GLOB, fetch_settings

if TYPE_CHECKING:
    from benchlint.lsp.server import Server

METHOD: Final = types.INITIALIZED


def handle(ls: Server, params: types.InitializedParams) -> None:
    """Ask to be told of changed files and settings, and for the settings."""
    client = ls.session.client
    registrations = []
    if client.watches_files:
        watchers = [types.FileSystemWatcher(glob_pattern=GLOB)]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        registrations.append(
            types.Registration(id="files", method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options)
        )
    if client.changes_configuration:
        section = {"section": "benchlint"}
        registrations.append(
            types.Registration(id="settings", method=types.WORKSPACE_DID_CHANGE_CONFIGURATION, register_options=section)
        )
    if registrations:
        ls.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=registrations))
    fetch_settings(ls)
