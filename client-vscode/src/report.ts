/** The report in a panel. */

import * as vscode from "vscode";
import { needsServer } from "./commands";
import { plainPage, themed } from "./reportPage";
import type { Session } from "./session";

let panel: vscode.WebviewPanel | undefined;

/** Show the report of now; the panel that is there is drawn anew. */
export async function openReport(session: Session): Promise<void> {
  if (!(await needsServer(session))) {
    return;
  }
  const shown = panel ?? makePanel(session);
  shown.reveal(undefined, false);
  await vscode.window.withProgress({ location: { viewId: "workbench.view.explorer" } }, async () => {
    const answer = await session.command("benchlint.showReport", { format: "html" });
    session.timings.measure("draw report", () => {
      shown.webview.html = page(answer);
    });
  });
}

function makePanel(session: Session): vscode.WebviewPanel {
  const options = { enableScripts: false, enableFindWidget: true, localResourceRoots: [] };
  const made = vscode.window.createWebviewPanel("benchlint.report", "benchlint report", vscode.ViewColumn.Active, options);
  made.iconPath = vscode.Uri.joinPath(session.home, "images", "icon.png");
  made.webview.html = plainPage("The report is being written.");
  made.onDidDispose(() => {
    panel = undefined;
    void vscode.commands.executeCommand("setContext", "benchlint.report", false);
  });
  panel = made;
  void vscode.commands.executeCommand("setContext", "benchlint.report", true);
  return made;
}

function page(answer: unknown): string {
  const text = typeof answer === "object" && answer !== null && "html" in answer ? answer.html : answer;
  if (typeof text !== "string" || text === "") {
    return plainPage("There is nothing to report: no benchmark was found in this window.");
  }
  return /^\s*<!DOCTYPE html/i.test(text) ? themed(text) : plainPage(text);
}
