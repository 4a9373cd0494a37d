/** Making the extension's own environment, with the user's consent. */

import * as vscode from "vscode";
import { chosenInterpreter } from "./pythonExtension";
import type { Server } from "./server/find";
import { SetupFailure } from "./server/failures";
import type { Session } from "./session";

const MAKE = "Make Environment";
const CHOOSE = "Choose Interpreter";
const PIP = `"pip install 'benchlint[llm]'"`;

/** Ask whether an environment is wanted, as no benchlint was found. */
export async function offerEnvironment(session: Session, notes: readonly string[]): Promise<void> {
  const why = notes.length > 0 ? ` ${notes.join(" ")}` : "";
  const question = `No benchlint was found.${why} Shall the extension make a Python environment of its own? It will hold benchlint and the packages that benchlint needs, fetched from the package index that pip uses.`;
  const chosen = await vscode.window.showInformationMessage(question, MAKE, CHOOSE, "Show Log");
  if (chosen === MAKE) {
    await makeEnvironment(session, await session.own.hasLlm());
  } else if (chosen === CHOOSE) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "benchlint.interpreter");
  } else if (chosen === "Show Log") {
    session.output.show(true);
  }
}

/** Say that models cannot be asked, and offer the packages for it where the environment is the extension's. */
export async function offerLlm(session: Session, server: Server): Promise<void> {
  const lack = "Models are set as judges, but litellm, which asks them, is not installed";
  if (server.from !== "own") {
    const message = `benchlint: ${lack} in the environment of ${programOf(server)}. Run ${PIP} there. Until then only the offline reader and verdicts in the cache are used.`;
    await vscode.window.showWarningMessage(message);
    return;
  }
  const chosen = await vscode.window.showWarningMessage(`benchlint: ${lack}. It takes about 200 MB of disk space.`, "Install");
  if (chosen === "Install") {
    await addLlm(session);
  }
}

/** Make the environment anew for the benchlint that came with an update. The old one runs on where that fails. */
export async function renewEnvironment(session: Session): Promise<void> {
  await makeEnvironment(session, await session.own.hasLlm());
}

/** Make the environment and use it. Returns whether that went well; what did not is told. */
export async function makeEnvironment(session: Session, llm: boolean): Promise<boolean> {
  let failure: Error | undefined;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "benchlint", cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        await session.replacing(async () => {
          const pythons = await candidates(session);
          const { signal } = controller;
          await session.own.setUp({
            pythons,
            llm,
            signal,
            progress: (message) => {
              session.output.info(message);
              progress.report({ message });
            },
          });
        });
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    },
  );
  if (failure === undefined) {
    return true;
  }
  const known = failure instanceof SetupFailure ? failure : undefined;
  const message = failure.message;
  session.output.error(message);
  if (known?.details) {
    session.output.error(known.details);
  }
  if (known?.kind !== "cancelled") {
    void tell(session, message, llm);
  }
  return false;
}

async function tell(session: Session, message: string, llm: boolean): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(`benchlint: ${message}`, "Show Log", "Try Again");
  if (chosen === "Show Log") {
    session.output.show(true);
  } else if (chosen === "Try Again") {
    await makeEnvironment(session, llm);
  }
}

/** Return the Pythons that the user has chosen; none of a workspace that is not trusted. */
async function candidates(session: Session): Promise<string[]> {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  const chosen = await chosenInterpreter(session.folder?.uri);
  return [...session.settings.interpreters, ...(chosen === undefined ? [] : [chosen])];
}

/** Make the environment because the user said so. */
export async function setUpEnvironment(session: Session): Promise<void> {
  if (!(await makeEnvironment(session, await session.own.hasLlm()))) {
    return;
  }
  const isUsed = session.server === undefined || session.server.from === "own";
  const used = isUsed ? "" : ` It is not used at present: ${session.summary} comes first.`;
  void vscode.window.showInformationMessage(`benchlint: the environment is ready.${used}`);
}

/** Add what models are asked with, or say where it has to be added. */
export async function installLlm(session: Session): Promise<void> {
  const { server } = session;
  if (server === undefined || server.from === "own") {
    await addLlm(session);
  } else if (server.llm === true) {
    void vscode.window.showInformationMessage(`benchlint: models can be asked already: litellm is installed in the environment of ${programOf(server)}.`);
  } else {
    void vscode.window.showInformationMessage(`benchlint: run ${PIP} in the environment of ${programOf(server)}. The extension installs nothing there.`);
  }
}

async function addLlm(session: Session): Promise<void> {
  if (await makeEnvironment(session, true)) {
    void vscode.window.showInformationMessage("benchlint: models can be asked now.");
  }
}

function programOf({ python, command }: Server): string {
  return python ?? command;
}

/** Take the environment away. */
export async function removeEnvironment(session: Session): Promise<void> {
  await session.replacing(() => session.own.remove());
  void vscode.window.showInformationMessage("benchlint: the extension's own environment was removed.");
}
