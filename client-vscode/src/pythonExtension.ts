/** The interpreter that the Python extension has chosen. */

import * as vscode from "vscode";

const NAME = "ms-python.python";
const PATIENCE_MS = 5_000;

/** What of its API is used. */
interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { id: string; path: string };
  resolveEnvironment(environment: { id: string; path: string }): Promise<{ executable: { uri: vscode.Uri | undefined } } | undefined>;
  onDidChangeActiveEnvironmentPath(listener: () => void): vscode.Disposable;
}

/** Return its API, where it is installed and comes up in time. */
async function environments(): Promise<Environments | undefined> {
  const extension = vscode.extensions.getExtension<{ environments?: Environments }>(NAME);
  if (extension === undefined) {
    return undefined;
  }
  return within((async () => (await extension.activate()).environments)());
}

/** Return the path of the chosen interpreter. */
export async function chosenInterpreter(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const api = await environments();
  if (api === undefined) {
    return undefined;
  }
  const found = await within(api.resolveEnvironment(api.getActiveEnvironmentPath(resource)));
  return found?.executable.uri?.fsPath;
}

/** Call a listener when another interpreter is chosen. */
export async function onChoice(listener: () => void): Promise<vscode.Disposable | undefined> {
  return (await environments())?.onDidChangeActiveEnvironmentPath(listener);
}

async function within<T>(promise: Promise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
