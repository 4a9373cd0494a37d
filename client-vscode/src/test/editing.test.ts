import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, fileOf, finding, findings, revert, show, until } from "./help";

const TASKS = "tasks.json";
const WORDS: Record<string, string> = {
  "unknown-entity": "L-3505",
  "unknown-tool": "renew_lone",
  "duplicate-task-id": "6",
  "invalid-task": "unknwon_info",
};

describe("a file of tasks", () => {
  let editor: vscode.TextEditor;

  before(async () => {
    await api();
    editor = await show(TASKS);
    await finding(TASKS, "unknown-tool");
  });

  afterEach(async () => {
    await revert(editor);
  });

  it("is underlined at the exact words", async () => {
    for (const [rule, word] of Object.entries(WORDS)) {
      const { range } = await finding(TASKS, rule);
      assert.ok(editor.document.getText(range).includes(word), `${rule}: ${editor.document.getText(range)}`);
      assert.ok(editor.document.getText(range).length <= word.length + 2, rule);
    }
  });

  it("tells more on hovering", async () => {
    const { range } = await finding(TASKS, "unknown-tool");
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", fileOf(TASKS), range.start);
    const texts = hovers.flatMap(({ contents }) => contents).map((item) => (item instanceof vscode.MarkdownString ? item.value : ""));
    assert.match(texts.join("\n"), /no tool|unknown-tool/);
  });

  it("has a quick fix that mends it", async () => {
    const { range } = await finding(TASKS, "unknown-tool");
    const actions = await actionsAt(range);
    const fix = actions.find(({ title }) => title.includes("renew_loan"));
    assert.ok(fix?.edit, JSON.stringify(actions.map(({ title }) => title)));
    assert.ok(await vscode.workspace.applyEdit(unasked(fix.edit)));
    await until("the fix", () => findings(TASKS, "unknown-tool").length === 0);
    assert.match(editor.document.getText(), /"renew_loan"/);
  });

  it("has ways to leave a finding out", async () => {
    const { range } = await finding(TASKS, "inaction-passes");
    const titles = (await actionsAt(range)).map(({ title }) => title);
    assert.ok(titles.some((title) => /ignore|suppress/i.test(title)), titles.join("; "));
  });

  it("has its safe fixes made together by one command", async () => {
    await finding(TASKS, "invalid-task");
    await vscode.commands.executeCommand("benchlint.fixFile");
    await until("the rename", () => editor.document.getText().includes('"unknown_info": null') && findings(TASKS, "invalid-task").length === 0);
    assert.doesNotMatch(editor.document.getText(), /unknwon_info/);
  });

  it("is linted as it is typed, and with what stands beside it", async () => {
    const { range } = await finding(TASKS, "unknown-entity");
    await editor.edit((edit) => {
      edit.replace(range, editor.document.getText(range).replace("L-3505", "L-3005"));
    });
    await until("the finding's end", () => findings(TASKS, "unknown-entity").length === 0);
  });
});

async function actionsAt(range: vscode.Range): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand("vscode.executeCodeActionProvider", fileOf(TASKS), range, "quickfix", 50);
}

/** Return an edit without the question that an unsafe one asks first. */
function unasked(edit: vscode.WorkspaceEdit): vscode.WorkspaceEdit {
  const plain = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    plain.set(uri, edits);
  }
  return plain;
}
