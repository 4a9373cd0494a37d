/** What a model has written, a rewrite or a new task, shown beside the text before it is applied. */

import * as vscode from "vscode";
import { type Rewrite, applyEdits, isBefore, isRewrite } from "./rewriteText";
import type { Session } from "./session";

const SCHEME = "benchlint-rewrite";

interface Shown {
  rewrite: Rewrite;
  document: vscode.TextDocument;
  preview: vscode.Uri;
  text: string;
}

const shown = new Map<string, Shown>();
let registered = false;
let number = 0;

/** Show what a rewrite would change, and ask; the title bar asks as well, for when the question is gone. */
export async function previewRewrite(session: Session, given: unknown): Promise<void> {
  if (!isRewrite(given)) {
    session.output.error("a rewrite without a file, a title or edits was not shown");
    return;
  }
  register(session);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(given.uri));
  if (isOld(given, document)) {
    return;
  }
  number += 1;
  const preview = vscode.Uri.from({ scheme: SCHEME, path: document.uri.path, query: String(number) });
  const text = session.timings.measure("apply rewrite", () =>
    applyEdits(document.getText(), given.edits, ({ line, character }) => document.offsetAt(new vscode.Position(line, character))),
  );
  shown.set(preview.toString(), { rewrite: given, document, preview, text });
  const { start } = given.edits.reduce((one, other) => (isBefore(other, one) ? other : one), given.edits[0]).range;
  const place = new vscode.Position(start.line, start.character);
  const options = { preview: true, selection: new vscode.Range(place, place) };
  await vscode.commands.executeCommand("vscode.diff", document.uri, preview, given.title, options);
  const chosen = await vscode.window.showInformationMessage(`benchlint: ${given.title}?`, "Apply", "Discard");
  if (chosen !== undefined) {
    await settle(session, preview, chosen === "Apply");
  }
}

/** Apply or discard the rewrite that is on view. */
export async function decide(session: Session, apply: boolean): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) {
    await settle(session, input.modified, apply);
    await vscode.commands.executeCommand("notifications.hideToasts");
  }
}

async function settle(session: Session, preview: vscode.Uri, apply: boolean): Promise<void> {
  const item = shown.get(preview.toString());
  if (item === undefined) {
    return;
  }
  shown.delete(preview.toString());
  await close(preview);
  if (!apply || isOld(item.rewrite, item.document)) {
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const edits = item.rewrite.edits.map(({ range, newText }) => {
    const { start, end } = range;
    return vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), newText);
  });
  edit.set(item.document.uri, edits);
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage("benchlint: the change could not be made.");
    return;
  }
  await vscode.window.showTextDocument(item.document, { preview: false });
  const { uri, task } = item.rewrite;
  if (task !== undefined) {
    await session.command("benchlint.judgeTask", { uri, task });
  }
}

/** Say whether the text has changed since, and tell the user. */
function isOld(rewrite: Rewrite, document: vscode.TextDocument): boolean {
  const old = typeof rewrite.version === "number" && rewrite.version !== document.version;
  if (old) {
    const again = rewrite.task === undefined ? "it was drafted. Have it drafted again." : "the judge read it. Judge the task again for a new rewrite.";
    void vscode.window.showWarningMessage(`benchlint: the text has changed since ${again}`);
  }
  return old;
}

async function close(preview: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === preview.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}

function register(session: Session): void {
  if (!registered) {
    registered = true;
    const provider = { provideTextDocumentContent: (uri: vscode.Uri) => shown.get(uri.toString())?.text ?? "" };
    session.owns(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
    session.owns(vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString())));
  }
}
