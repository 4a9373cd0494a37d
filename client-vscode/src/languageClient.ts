/** The client of the language server. */

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, RevealOutputChannelOn } from "vscode-languageclient/node";
import type { Server } from "./server/find";
import type { Timings } from "./timings";

const FILES = "**/*.{json,jsonl,yaml,yml,py,md,markdown,toml}";
const MOST_CRASHES = 3;
const CRASHES_WITHIN_MS = 180_000;

const TOLD = /^benchlint\.(?:judge(?:Task|File|Benchmark)|draftTask|replay)$/;
const SHOWN_MS = 8_000;

export interface Wiring {
  server: Server;
  output: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
  timings: Timings;
  settings: () => Record<string, unknown>;
  logFile: string | undefined;
  folder: vscode.WorkspaceFolder | undefined;
  /** Gets the tokens of what the server has under way. */
  work: Set<number | string>;
  /** Gets told that the server ended by itself too often. */
  onGone: () => void;
}

/** A client that does not show errors by itself: the session tells what went wrong, in words for its user. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export type Client = LanguageClient;

/** Make a client; it is not started. */
export function makeClient(wiring: Wiring): Client {
  const { server, timings } = wiring;
  const log = wiring.logFile === undefined ? [] : ["--log-file", wiring.logFile];
  const crashes: number[] = [];
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", pattern: FILES }],
    diagnosticCollectionName: "benchlint",
    outputChannel: wiring.output,
    traceOutputChannel: wiring.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => ({
      ...wiring.settings(),
      trusted: vscode.workspace.isTrusted,
      previewRewrites: true,
      status: true,
    }),
    markdown: { isTrusted: false, supportHtml: false },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (client.initializeResult === undefined) {
          return { action: CloseAction.DoNotRestart, handled: true };
        }
        const now = Date.now();
        crashes.push(now);
        if (crashes.filter((at) => now - at < CRASHES_WITHIN_MS).length > MOST_CRASHES) {
          wiring.onGone();
          return { action: CloseAction.DoNotRestart, handled: true };
        }
        return { action: CloseAction.Restart, handled: true };
      },
    },
    middleware: {
      handleWorkDoneProgress: (token, params, next) => {
        if (params.kind === "begin") {
          wiring.work.add(token);
        } else if (params.kind === "end") {
          wiring.work.delete(token);
        }
        next(token, params);
      },
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        if (TOLD.test(command) && isTold(answer)) {
          wiring.output.info(answer.message);
          vscode.window.setStatusBarMessage(`benchlint: ${answer.message}`, SHOWN_MS);
        }
        const { preview } = (answer ?? {}) as { preview?: unknown };
        if (preview !== undefined) {
          void vscode.commands.executeCommand("benchlint.previewRewrite", preview);
        }
        return answer;
      },
      workspace: {
        configuration: (params) => timings.measure("configuration", () => params.items.map(() => wiring.settings())),
      },
    },
  };
  const run = {
    command: server.command,
    args: [...server.args, "serve", ...log],
    options: { cwd: wiring.folder?.uri.fsPath ?? process.cwd(), env: { ...process.env, PYTHONUTF8: "1" } },
  };
  const client = new QuietClient("benchlint", "benchlint", run, options);
  return client;
}

/** Say whether an answer has a sentence for the user that the server has not shown itself. */
function isTold(answer: unknown): answer is { message: string } {
  const told = answer as { message?: unknown; stopped?: unknown } | null | undefined;
  return typeof told?.message === "string" && (told.stopped === null || told.stopped === undefined);
}
