/** The window that the tests run in: its folder is a copy of `fixtures/library`. */

import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import type { Api } from "../extension";

const PATIENCE_MS = 30_000;

export async function api(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>("benchlint.benchlint");
  assert.ok(extension, "the extension is not there");
  const exports = await extension.activate();
  await exports.ready();
  return exports;
}

export function fileOf(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "the tests need a folder: a copy of fixtures/library");
  return vscode.Uri.file(path.join(folder.uri.fsPath, name));
}

export async function show(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fileOf(name)));
}

/** Wait until something is so; looks whenever findings, texts or tabs change, and now and then besides. */
export async function until<T>(what: string, look: () => T | undefined | false): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) {
      return found;
    }
    assert.ok(Date.now() < end, `${what} did not come about`);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, 250);
      const listener = vscode.languages.onDidChangeDiagnostics(done);
      function done(): void {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      }
    });
  }
}

export function findings(name: string, rule?: string): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(fileOf(name))
    .filter((item) => item.source === "benchlint" && (rule === undefined || ruleOf(item) === rule));
}

export function ruleOf(item: vscode.Diagnostic): string {
  return String(typeof item.code === "object" ? item.code.value : item.code);
}

/** Return the finding of a rule, once it is there. */
export async function finding(name: string, rule: string): Promise<vscode.Diagnostic> {
  return until(`${rule} in ${name}`, () => findings(name, rule)[0]);
}

/** Take a document back to what is on the disk. */
export async function revert(editor: vscode.TextEditor): Promise<void> {
  await vscode.window.showTextDocument(editor.document);
  await vscode.commands.executeCommand("workbench.action.files.revert");
}

/** Set a setting of the folder, and undo that afterwards. */
export async function withSettings(values: Record<string, unknown>, body: () => Promise<void>): Promise<void> {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("benchlint");
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, settings().inspect(name)?.workspaceValue]));
  try {
    for (const [name, value] of Object.entries(values)) {
      await settings().update(name, value, vscode.ConfigurationTarget.Workspace);
    }
    await body();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      await settings().update(name, value, vscode.ConfigurationTarget.Workspace);
    }
  }
}
