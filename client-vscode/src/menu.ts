/** What a click on the status bar offers. */

import * as vscode from "vscode";
import type { Session } from "./session";

interface Entry extends vscode.QuickPickItem {
  command?: string;
  args?: unknown[];
}

/** Let the user choose, and do it. */
export async function showMenu(session: Session): Promise<void> {
  const running = session.status.state === "running";
  const judges = running && vscode.workspace.isTrusted;
  const own = session.server?.from === "own";
  const entries: (Entry | false)[] = [
    session.isWorking && { label: "$(debug-stop) Stop Judging or Replaying", command: "benchlint.stopWork" },
    running && { label: "$(list-unordered) Show Problems", command: "workbench.actions.view.problems" },
    running && { label: "$(graph) Show Report", command: "benchlint.openReport" },
    running && { label: "$(wand) Make All Safe Fixes in File", command: "benchlint.fixFile" },
    judges && { label: "Judges and Replay", kind: vscode.QuickPickItemKind.Separator },
    judges && { label: "$(law) Judge Task", command: "benchlint.judgeTaskHere" },
    judges && { label: "$(law) Judge File", command: "benchlint.judgeFileHere" },
    judges && { label: "$(law) Judge Benchmark", command: "benchlint.judgeBenchmarkHere" },
    judges && { label: "$(run-all) Replay Expected Actions", command: "benchlint.replayHere" },
    judges && own && session.server?.llm === false && {
      label: "$(cloud-download) Install Support for Models",
      command: "benchlint.installLlm",
    },
    !vscode.workspace.isTrusted && { label: "$(shield) Manage Workspace Trust", command: "workbench.trust.manage" },
    { label: "Server", kind: vscode.QuickPickItemKind.Separator },
    { label: running ? "$(debug-restart) Restart Server" : "$(play) Start Server", command: "benchlint.restart" },
    !running && { label: "$(package) Set Up Own Python Environment", command: "benchlint.setUpEnvironment" },
    running && { label: "$(new-file) Create Configuration File", command: "benchlint.createConfiguration" },
    { label: "$(gear) Open Settings", command: "workbench.action.openSettings", args: ["benchlint"] },
    { label: "$(output) Show Log", command: "benchlint.showLog" },
    { label: "$(bug) Show Debug Information", command: "benchlint.showDebugInformation" },
  ];
  const items = entries.filter((entry) => entry !== false);
  const chosen = await vscode.window.showQuickPick(items, { title: "benchlint", placeHolder: session.summary });
  if (chosen?.command !== undefined) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.args ?? []));
  }
}
