/** The client of the language server: a file of its own in `dist`, which is read only where a benchmark is. */

import type { Timings } from "./timings";

export type { Client, Wiring } from "./languageClient";

/** Load the client in parts, with room for others in between: all of it at once would hold them up. */
export async function loadClient(timings: Timings): Promise<typeof import("./languageClient")> {
  await timings.load("load rpc", () => import("vscode-jsonrpc/node"));
  await breath();
  await timings.load("load protocol", () => import("vscode-languageserver-protocol/node"));
  await breath();
  await timings.load("load language client", () => import("vscode-languageclient/node"));
  await breath();
  return timings.load("load client", () => import("./languageClient"));
}

function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
