/** Where the editor begins: commands, a first look, then the server. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { LEFT_OUT, MOST_FILES, NAMES, candidatesIn, looksLikePart } from "./look";
import type { Server } from "./server/find";
import { Session } from "./session";
import { CHOOSES_SERVER } from "./settings";
import type { State } from "./statusText";
import { Timings } from "./timings";
import { tickServerStep } from "./walkthrough";

/** What other extensions, and tests, may ask. */
export interface Api {
  readonly timings: Timings;
  readonly state: State;
  readonly server: Server | undefined;
  /** The text in the status bar. */
  readonly statusText: string;
  /** Wait until the first look is done and a server that it asked for runs, or cannot. */
  ready(): Promise<void>;
  restart(): Promise<void>;
}

export function activate(context: vscode.ExtensionContext): Api {
  const timings = new Timings();
  return timings.measure("activate", () => {
    const session = new Session(context, timings);
    context.subscriptions.push(session, { dispose: () => void session.client?.dispose() });
    registerCommands(context, session);
    watch(context, session);
    const looked = begin(context, session);
    current = session;
    return {
      timings,
      get state() {
        return session.status.state;
      },
      get server() {
        return session.server;
      },
      get statusText() {
        return session.status.shown.text;
      },
      ready: async () => {
        await looked;
        await session.settled();
      },
      restart: () => session.restart(),
    };
  });
}

let current: Session | undefined;

export async function deactivate(): Promise<void> {
  await current?.stop();
}

/** Start the server where a benchmark is; else look at every file that is opened from now on. */
async function begin(context: vscode.ExtensionContext, session: Session): Promise<void> {
  if (await hasBenchmark()) {
    session.timings.reached("benchmark seen");
    await session.restart();
    return;
  }
  session.output.info("no benchmark was found in the folders of this window; files are looked at when they are opened");
  const opened = vscode.workspace.onDidOpenTextDocument(async (document) => {
    if (session.wanted) {
      opened.dispose();
    } else if (document.uri.scheme === "file" && (await looksLikePart(document.uri.fsPath))) {
      opened.dispose();
      await session.restart();
    }
  });
  context.subscriptions.push(opened);
}

/** Look at what is open, then at the top of the folders, then deeper: each is slower than the one before. */
async function hasBenchmark(): Promise<boolean> {
  if (await some(vscode.workspace.textDocuments.map(({ uri }) => uri))) {
    return true;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const top = await Promise.all(folders.map(({ uri }) => candidatesIn(uri.fsPath)));
  return (await some(top.flat().map((file) => vscode.Uri.file(file)))) || some(await vscode.workspace.findFiles(NAMES, LEFT_OUT, MOST_FILES));
}

async function some(uris: readonly vscode.Uri[]): Promise<boolean> {
  const files = uris.filter((uri) => uri.scheme === "file");
  return (await Promise.all(files.map((uri) => looksLikePart(uri.fsPath)))).includes(true);
}

/** Follow settings, trust, the chosen interpreter and the findings. */
function watch(context: vscode.ExtensionContext, session: Session): void {
  const { timings } = session;
  const follow = (): void => {
    if (session.wanted) {
      void session.follow();
    }
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (CHOOSES_SERVER.some((name) => event.affectsConfiguration(`benchlint.${name}`))) {
        follow();
      } else if (event.affectsConfiguration("benchlint.judge.models")) {
        void session.lookAfter();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(follow),
    tickServerStep(session),
    vscode.languages.onDidChangeDiagnostics((event) => {
      const shown = timings.measure("count findings", () => session.status.recount(event.uris));
      if (shown && session.client !== undefined) {
        timings.diagnosticsShown();
      }
    }),
  );
}
