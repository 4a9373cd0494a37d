import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, fileOf, finding, revert, show, until } from "./help";

const TASKS = "tasks.json";

describe("views", () => {
  before(async () => {
    await api();
    await show(TASKS);
    await finding(TASKS, "unknown-tool");
  });

  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("show the report in a panel, which is drawn anew", async () => {
    await vscode.commands.executeCommand("benchlint.openReport");
    await until("the panel", () => tabs().some(({ label }) => label === "benchlint report"));
    await vscode.commands.executeCommand("benchlint.refreshReport");
    assert.equal(tabs().filter(({ label }) => label === "benchlint report").length, 1);
  });

  it("show a rewrite as a difference before it is applied", async () => {
    const editor = await show(TASKS);
    const before = editor.document.getText();
    const at = { line: 1, character: 2 };
    const rewrite = { uri: fileOf(TASKS).toString(), version: editor.document.version, edits: [{ range: { start: at, end: at }, newText: " " }], title: "Rewrite the task" };
    void vscode.commands.executeCommand("benchlint.previewRewrite", rewrite);
    const diff = await until("the difference", () => tabs().map(({ input }) => input).find((input) => input instanceof vscode.TabInputTextDiff));
    const preview = await vscode.workspace.openTextDocument(diff.modified);
    assert.equal(preview.getText().length, before.length + 1);
    assert.equal(editor.document.getText(), before);
    await vscode.commands.executeCommand("benchlint.applyRewrite");
    await until("the rewrite", () => editor.document.getText() === preview.getText());
    await until("the end of the difference", () => !tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff));
    await revert(editor);
  });

  it("discard a rewrite", async () => {
    const editor = await show(TASKS);
    const before = editor.document.getText();
    const at = { line: 0, character: 0 };
    void vscode.commands.executeCommand("benchlint.previewRewrite", { uri: fileOf(TASKS).toString(), edits: [{ range: { start: at, end: at }, newText: "\n" }], title: "Rewrite" });
    await until("the difference", () => tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff));
    await vscode.commands.executeCommand("benchlint.discardRewrite");
    await until("the end of the difference", () => !tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff));
    assert.equal(editor.document.getText(), before);
  });

  it("do not show a rewrite of an earlier text", async () => {
    const editor = await show(TASKS);
    const at = { line: 0, character: 0 };
    const old = { uri: fileOf(TASKS).toString(), version: editor.document.version - 1, edits: [{ range: { start: at, end: at }, newText: "\n" }], title: "Rewrite" };
    await vscode.commands.executeCommand("benchlint.previewRewrite", old);
    assert.ok(!tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff));
  });

  it("show what a bug report needs, and no text under lint", async () => {
    await vscode.commands.executeCommand("benchlint.showDebugInformation");
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    const told = JSON.parse(text) as { extension: { state: string }; server: { benchlint: string } };
    assert.equal(told.extension.state, "running");
    assert.match(told.server.benchlint, /^\d/);
    assert.doesNotMatch(text, /renew_lone|L-3505/);
  });

  it("open the configuration that is made from what is found", async () => {
    await vscode.commands.executeCommand("benchlint.createConfiguration");
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document !== undefined && document.fileName.endsWith("benchlint.toml"));
    assert.match(document.getText(), /\[\[benchmark\]\]/);
    await vscode.workspace.fs.delete(document.uri);
  });
});

function tabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}
