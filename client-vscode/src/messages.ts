/** Messages that the server wants shown, and those about the server. */

import * as vscode from "vscode";
import type { Session } from "./session";

export interface Message {
  /** 1 is an error, 2 a warning, the rest information. */
  type: number;
  message: string;
}

const LACKS_LITELLM = /benchlint\[llm\]/;

/** Show a message; where the extension can do what it asks for, with a button that does. */
export async function showMessage(session: Session, { type, message }: Message): Promise<void> {
  const { server } = session;
  if (LACKS_LITELLM.test(message) && server?.from === "own") {
    await (await import("./setup")).offerLlm(session, server);
  } else if (type === 1) {
    await vscode.window.showErrorMessage(message);
  } else if (type === 2) {
    await vscode.window.showWarningMessage(message);
  } else {
    await vscode.window.showInformationMessage(message);
  }
}

/** Tell that the server does not run, and why. */
export async function showFailure(session: Session, reason: string): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(`benchlint: ${reason}`, "Show Log", "Restart");
  if (chosen === "Show Log") {
    session.output.show(true);
  } else if (chosen === "Restart") {
    await session.restart();
  }
}
