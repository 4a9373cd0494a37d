/** Asking for what takes longer, by command: judges and replay. The server knows what a task is: its code lenses say so. */

import * as vscode from "vscode";
import { needsServer } from "./commands";
import type { Session } from "./session";

const LENS = "benchlint.judgeTask";

/** Judge the task that the cursor is in. */
export async function judgeTask(session: Session): Promise<void> {
  const editor = await editorOf(session);
  if (editor === undefined) {
    return;
  }
  const line = editor.selection.active.line;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    editor.document.uri,
    Number.MAX_SAFE_INTEGER,
  );
  const above = lenses
    .filter((lens) => lens.command?.command === LENS && lens.range.start.line <= line)
    .sort((one, other) => other.range.start.line - one.range.start.line);
  const command = above[0]?.command;
  if (command === undefined) {
    void vscode.window.showInformationMessage("benchlint: the cursor is not in a task that can be judged.");
    return;
  }
  await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}

/** Judge the tasks of the file that is shown. */
export async function judgeFile(session: Session): Promise<void> {
  await order(session, "benchlint.judgeFile");
}

/** Judge the benchmark of the file that is shown. */
export async function judgeBenchmark(session: Session): Promise<void> {
  await order(session, "benchlint.judgeBenchmark");
}

/** Run the expected actions of the benchmark of the file that is shown with its own tools. */
export async function replay(session: Session): Promise<void> {
  await order(session, "benchlint.replay");
}

/** Forget all verdicts: judges are asked anew. */
export async function clearVerdicts(session: Session): Promise<void> {
  if (!(await needsServer(session))) {
    return;
  }
  const question = "Remove all verdicts from the cache? Asking the judges for them again costs as much as it did before.";
  if ((await vscode.window.showWarningMessage(question, { modal: true }, "Remove")) === "Remove") {
    say(await session.command("benchlint.clearCache"));
  }
}

async function order(session: Session, command: string): Promise<void> {
  const editor = await editorOf(session);
  if (editor !== undefined) {
    await vscode.commands.executeCommand(command, { uri: editor.document.uri.toString() });
  }
}

async function editorOf(session: Session): Promise<vscode.TextEditor | undefined> {
  if (!(await needsServer(session))) {
    return undefined;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("benchlint: open a file of tasks first.");
    return undefined;
  }
  return editor;
}

function say(answer: unknown): void {
  if (typeof answer === "string" && answer !== "") {
    void vscode.window.showInformationMessage(`benchlint: ${answer}`);
  }
}
