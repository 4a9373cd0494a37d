/** The commands of the extension. What the server does itself it names `benchlint.judgeTask` and so on; ours differ. */

import * as vscode from "vscode";
import type { Session } from "./session";

const SETTINGS = "Open Settings";

type Run = (session: Session, ...args: never[]) => unknown;

const COMMANDS: Record<string, Run> = {
  restart: (session) => session.restart(),
  lintWorkspace: (session) => (session.status.state === "running" ? showProblems() : session.restart()),
  showLog: (session) => {
    session.output.show(true);
  },
  showDebugInformation: async (session) => (await import("./debug")).showDebugInformation(session),
  fixFile: () => vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.benchlint", apply: "first" }),
  judgeTaskHere: async (session) => (await import("./judging")).judgeTask(session),
  judgeFileHere: async (session) => (await import("./judging")).judgeFile(session),
  judgeBenchmarkHere: async (session) => (await import("./judging")).judgeBenchmark(session),
  replayHere: async (session) => (await import("./judging")).replay(session),
  stopWork: (session) => session.stopWork(),
  clearVerdicts: async (session) => (await import("./judging")).clearVerdicts(session),
  openReport: async (session) => (await import("./report")).openReport(session),
  refreshReport: async (session) => (await import("./report")).openReport(session),
  createConfiguration: async (session) => (await import("./configuration")).createConfiguration(session),
  useTomlSchema: async (session) => (await import("./configuration")).useTomlSchema(session),
  setUpEnvironment: async (session) => (await import("./setup")).setUpEnvironment(session),
  installLlm: async (session) => (await import("./setup")).installLlm(session),
  removeEnvironment: async (session) => (await import("./setup")).removeEnvironment(session),
  showMenu: async (session) => (await import("./menu")).showMenu(session),
  previewRewrite: async (session, rewrite: never) => (await import("./rewrites")).previewRewrite(session, rewrite),
  applyRewrite: async (session) => (await import("./rewrites")).decide(session, true),
  discardRewrite: async (session) => (await import("./rewrites")).decide(session, false),
};

/** Register all of them. Modules are read when they are wanted. */
export function registerCommands(context: vscode.ExtensionContext, session: Session): void {
  for (const [name, run] of Object.entries(COMMANDS)) {
    const handler = (...args: never[]): unknown => session.timings.measure(name, () => run(session, ...args));
    context.subscriptions.push(vscode.commands.registerCommand(`benchlint.${name}`, handler));
  }
}

function showProblems(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.actions.view.problems");
}

/** Say that a command needs a server; returns whether one runs. */
export async function needsServer(session: Session): Promise<boolean> {
  await session.settled();
  if (session.isRunning()) {
    return true;
  }
  if (!session.settings.enable) {
    const message = "benchlint: linting is off in this window, by the setting benchlint.enable.";
    if ((await vscode.window.showWarningMessage(message, SETTINGS)) === SETTINGS) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "benchlint.enable");
    }
    return false;
  }
  const chosen = await vscode.window.showWarningMessage("benchlint: no server is running.", "Start", "Show Log");
  if (chosen === "Start") {
    await session.restart();
    return session.isRunning();
  }
  if (chosen === "Show Log") {
    session.output.show(true);
  }
  return false;
}
