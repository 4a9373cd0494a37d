/** The search for a server, as settings and trust of this window are. */

import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { chosenInterpreter } from "./pythonExtension";
import { type Search, findServer } from "./server/find";
import type { Session } from "./session";

/** Find a server. */
export async function searchServer(session: Session): Promise<Search> {
  const cwd = session.storage;
  await mkdir(cwd, { recursive: true });
  return findServer({
    ...session.settings,
    trusted: vscode.workspace.isTrusted,
    folders: (vscode.workspace.workspaceFolders ?? []).map((item) => item.uri.fsPath),
    cwd,
    chosen: () => chosenInterpreter(session.folder?.uri),
    own: () => session.own.python(),
  });
}
