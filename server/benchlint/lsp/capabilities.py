"""What a client can do, as far as the server behaves differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pygls.capabilities import ServerCapabilitiesBuilder

from benchlint.text.document import Encoding

if TYPE_CHECKING:
    from lsprotocol.types import ClientCapabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client's abilities.

    `pull` is said of one that can pull diagnostics and be asked to do so
    again: late verdicts need both. `versioned_edits` and `annotated_edits`
    are forms of a workspace edit, `lazy_edits` says that a code action may
    leave its edit until it is chosen, `applies_edits` that the server may
    ask for an edit at any time.
    """

    encoding: Encoding = Encoding.UTF16
    pull: bool = False
    related: bool = False
    versioned_edits: bool = False
    annotated_edits: bool = False
    creates_files: bool = False
    lazy_edits: bool = False
    applies_edits: bool = False
    watches_files: bool = False
    configuration: bool = False
    changes_configuration: bool = False
    symbols_nest: bool = False
    progress: bool = False
    refreshes_lenses: bool = False
    markdown: bool = False


def read_client(capabilities: ClientCapabilities) -> Client:
    """Read a client's capabilities."""

    def can(path: str) -> Any:
        found: Any = capabilities
        for name in path.split("."):
            found = getattr(found, name, None)
        return found

    resolved = can("text_document.code_action.resolve_support.properties") or ()
    return Client(
        encoding=Encoding(str(_value(ServerCapabilitiesBuilder.choose_position_encoding(capabilities)))),
        pull=bool(can("text_document.diagnostic") and can("workspace.diagnostics.refresh_support")),
        related=bool(can("text_document.publish_diagnostics.related_information") or can("text_document.diagnostic")),
        versioned_edits=bool(can("workspace.workspace_edit.document_changes")),
        annotated_edits=bool(can("workspace.workspace_edit.change_annotation_support")),
        creates_files="create" in [_value(item) for item in can("workspace.workspace_edit.resource_operations") or ()],
        lazy_edits="edit" in resolved and bool(can("text_document.code_action.data_support")),
        applies_edits=bool(can("workspace.apply_edit")),
        watches_files=bool(can("workspace.did_change_watched_files.dynamic_registration")),
        configuration=bool(can("workspace.configuration")),
        changes_configuration=bool(can("workspace.did_change_configuration.dynamic_registration")),
        progress=bool(can("window.work_done_progress")),
        refreshes_lenses=bool(can("workspace.code_lens.refresh_support")),
        symbols_nest=bool(can("text_document.document_symbol.hierarchical_document_symbol_support")),
        markdown="markdown" in [_value(item) for item in can("text_document.hover.content_format") or ()],
    )


def _value(item: Any) -> Any:
    return getattr(item, "value", item)
