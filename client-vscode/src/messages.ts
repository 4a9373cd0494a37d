/** Messages that the server wants shown. */

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
