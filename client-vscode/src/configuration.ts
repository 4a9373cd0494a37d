/** The configuration file, and its schema for editors of TOML. */

import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { needsServer } from "./commands";
import { lastLine } from "./server/interpreter";
import { run } from "./server/run";
import type { Session } from "./session";

const TIMEOUT_MS = 60_000;
const NAME = "benchlint.toml";
const ASSOCIATIONS = "schema.associations";

/** Have a benchlint.toml written for what is found in a folder, and open it. One that is there is opened as it is. */
export async function createConfiguration(session: Session): Promise<void> {
  const folder = await chooseFolder(session);
  if (folder === undefined || !(await needsServer(session))) {
    return;
  }
  const { server } = session;
  if (server === undefined) {
    return;
  }
  const target = vscode.Uri.joinPath(folder.uri, NAME);
  const outcome = await run(server.command, [...server.args, "init", folder.uri.fsPath], {
    timeoutMs: TIMEOUT_MS,
    cwd: session.storage,
  });
  const said = lastLine(outcome.stderr) || lastLine(outcome.stdout);
  if (!(await exists(target))) {
    void vscode.window.showErrorMessage(`benchlint: ${NAME} could not be written: ${said || "no reason was given"}`);
    return;
  }
  if (outcome.code !== 0) {
    void vscode.window.showInformationMessage(`benchlint: there is a ${NAME} already; it was left as it is.`);
  }
  await vscode.window.showTextDocument(target);
}

/** Tell Even Better TOML, in the user's settings, where the schema of benchlint.toml is. */
export async function useTomlSchema(session: Session): Promise<void> {
  const schema = path.join(session.storage, "config.schema.json");
  await mkdir(session.storage, { recursive: true });
  await copyFile(path.join(session.home.fsPath, "dist", "schemas", "config.schema.json"), schema);
  const settings = vscode.workspace.getConfiguration("evenBetterToml");
  const before = settings.inspect<Record<string, string>>(ASSOCIATIONS)?.globalValue ?? {};
  const after = { ...before, "(^|.*/)benchlint\\.toml$": vscode.Uri.file(schema).toString() };
  try {
    await settings.update(ASSOCIATIONS, after, vscode.ConfigurationTarget.Global);
    void vscode.window.showInformationMessage("benchlint: Even Better TOML now knows benchlint.toml.");
  } catch {
    void vscode.window.showWarningMessage("benchlint: the extension Even Better TOML is not installed, so there is nowhere to set its schema.");
  }
}

async function chooseFolder(session: Session): Promise<vscode.WorkspaceFolder | undefined> {
  const { folders } = session;
  if (folders.length === 0) {
    void vscode.window.showInformationMessage("benchlint: open a folder first; the configuration is written into it.");
  }
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick({ placeHolder: `Where to write ${NAME}` }) : folders[0];
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
