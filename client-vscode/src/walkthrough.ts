/** The step of the walkthrough that asks for a server. */

import * as vscode from "vscode";
import type { Session } from "./session";

/**
 * Have the step ticked where a server runs already.
 *
 * The editor ticks a step in the moment in which its key becomes true, and never one whose key was true before the
 * walkthrough was shown. So the key is true for a moment whenever a page of the editor's own comes up: to extensions
 * such a page, as the walkthrough is one, is a tab without an input.
 */
export function tickServerStep(session: Session): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(async ({ opened, changed }) => {
    const isShown = [...opened, ...changed].some(({ input, isActive }) => input === undefined && isActive);
    if (isShown && session.status.state === "running") {
      await vscode.commands.executeCommand("setContext", "benchlint.seenRunning", true);
      await vscode.commands.executeCommand("setContext", "benchlint.seenRunning", false);
    }
  });
}
