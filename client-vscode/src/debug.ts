/** What a bug report needs, of both sides. */

import * as vscode from "vscode";
import type { Session } from "./session";
import { serverSettings } from "./settings";

/** Open it as a text that is not saved anywhere. */
export async function showDebugInformation(session: Session): Promise<void> {
  const server = session.client === undefined ? null : await session.command("benchlint.debugDump");
  const configuration = vscode.workspace.getConfiguration("benchlint", session.folder?.uri);
  const told = {
    extension: {
      version: session.version,
      editor: `${vscode.env.appName} ${vscode.version}`,
      platform: `${process.platform} ${process.arch}`,
      trusted: vscode.workspace.isTrusted,
      state: session.status.state,
      status: session.status.shown,
      server: session.server ?? null,
      settings: serverSettings(configuration, session.folder?.uri.fsPath),
      timings: {
        firstDiagnosticMs: session.timings.firstDiagnosticMs,
        calls: session.timings.calls,
        milestones: session.timings.milestones,
      },
    },
    server: parsed(server),
  };
  const document = await vscode.workspace.openTextDocument({ language: "json", content: JSON.stringify(told, null, 2) });
  await vscode.window.showTextDocument(document);
}

function parsed(dump: unknown): unknown {
  try {
    return typeof dump === "string" ? JSON.parse(dump) : dump;
  } catch {
    return dump;
  }
}
