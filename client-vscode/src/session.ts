/** The server of this window: found, started, watched, started anew. */

import { mkdir } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client";
import { type Message, showMessage } from "./messages";
import { chosenInterpreter, onChoice } from "./pythonExtension";
import { OwnEnvironment } from "./server/environment";
import { whyNot } from "./server/failures";
import { type Search, type Server, findServer } from "./server/find";
import { namesModels, readSettings, serverSettings } from "./settings";
import { Status } from "./status";
import type { Work } from "./statusText";
import type { Timings } from "./timings";

const STOP_PATIENCE_MS = 4_000;
const ORIGINS: Record<Server["from"], string> = {
  path: "from the setting benchlint.path",
  interpreter: "from the interpreter",
  PATH: "from the PATH",
  own: "from the extension's own environment",
};

export class Session implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("benchlint", { log: true });
  readonly status = new Status();
  readonly own: OwnEnvironment;
  client: Client | undefined;
  server: Server | undefined;
  /** Whether the window has, or was told to have, a benchmark. */
  wanted = false;
  private readonly work = new Set<number | string>();
  private trace: vscode.LogOutputChannel | undefined;
  private queue: Promise<void> = Promise.resolve();
  private asked = false;
  private saidLlm = false;
  private follows = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly timings: Timings,
  ) {
    const bundled = path.join(context.extensionPath, "bundled");
    this.own = new OwnEnvironment(this.storage, bundled);
  }

  /** Where the extension is installed. */
  get home(): vscode.Uri {
    return this.context.extensionUri;
  }

  /** A folder of the extension's own, outside of every workspace. */
  get storage(): string {
    return this.context.globalStorageUri.fsPath;
  }

  get version(): string {
    return (this.context.extension.packageJSON as { version: string }).version;
  }

  /** What runs, in a few words. */
  get summary(): string {
    return this.server === undefined ? "no server is running" : `benchlint ${ORIGINS[this.server.from]}`;
  }

  isRunning(): boolean {
    return this.client !== undefined;
  }

  /** Have something disposed of with the extension. */
  owns(item: vscode.Disposable): void {
    this.context.subscriptions.push(item);
  }

  /** The first folder of the workspace that is on a disk. */
  get folder(): vscode.WorkspaceFolder | undefined {
    return this.folders[0];
  }

  get folders(): vscode.WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).filter((item) => item.uri.scheme === "file");
  }

  get settings(): ReturnType<typeof readSettings> {
    return readSettings(vscode.workspace.getConfiguration("benchlint", this.folder?.uri));
  }

  /** Start the server, or start it anew; later calls wait for earlier ones. */
  restart(): Promise<void> {
    this.wanted = true;
    return this.enqueue(async () => {
      await this.halt();
      await this.start();
    });
  }

  /** Stop the server. */
  stop(): Promise<void> {
    return this.enqueue(async () => {
      await this.halt();
      this.status.enter("stopped");
    });
  }

  /** Do something while no server runs, then start one. */
  replacing(change: () => Promise<void>): Promise<void> {
    this.wanted = true;
    return this.enqueue(async () => {
      await this.halt();
      try {
        await change();
      } finally {
        await this.start();
      }
    });
  }

  /** Wait until what was begun has come to its end. */
  settled(): Promise<void> {
    return this.queue;
  }

  /** Ask the server to run a command; undefined where none runs. */
  async command(name: string, ...args: unknown[]): Promise<unknown> {
    await this.settled();
    return this.client?.sendRequest("workspace/executeCommand", { command: name, arguments: args });
  }

  /** Whether the server has something under way that takes longer. */
  get isWorking(): boolean {
    return this.work.size > 0;
  }

  /** Stop what the server has under way: judging, replaying. */
  async stopWork(): Promise<void> {
    for (const token of this.work) {
      await this.client?.sendNotification("window/workDoneProgress/cancel", { token });
    }
  }

  /** Find a server as the settings say. */
  async find(): Promise<Search> {
    const settings = this.settings;
    const cwd = this.storage;
    await mkdir(cwd, { recursive: true });
    return findServer({
      ...settings,
      trusted: vscode.workspace.isTrusted,
      folders: (vscode.workspace.workspaceFolders ?? []).map((item) => item.uri.fsPath),
      cwd,
      chosen: () => chosenInterpreter(this.folder?.uri),
      own: () => this.own.python(),
    });
  }

  dispose(): void {
    this.status.dispose();
    this.trace?.dispose();
    this.output.dispose();
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    const next = this.queue.then(step);
    this.queue = next.catch(() => undefined);
    return next;
  }

  private async start(): Promise<void> {
    if (!this.settings.enable) {
      this.status.enter("stopped");
      return;
    }
    this.status.enter("starting");
    const { server, notes } = await this.find();
    this.timings.reached("server found");
    notes.forEach((note) => {
      this.output.warn(note);
    });
    if (server === undefined) {
      this.status.enter("missing", { reason: ["No benchlint was found.", ...notes].join("\n\n") });
      void this.offerEnvironment(notes);
      void this.followChoice();
      return;
    }
    this.server = server;
    await this.run(server);
    void this.lookAfter();
    void this.followChoice();
  }

  /** Start anew when another interpreter is chosen, where it may matter. */
  private async followChoice(): Promise<void> {
    if (!this.follows) {
      this.follows = true;
      const listener = await onChoice(() => {
        if (this.server === undefined || this.server.from === "interpreter") {
          void this.restart();
        }
      });
      if (listener !== undefined) {
        this.owns(listener);
      }
    }
  }

  private async run(server: Server): Promise<void> {
    const { loadClient } = await this.timings.load("read client", () => import("./client"));
    const { makeClient } = await loadClient(this.timings);
    this.trace ??= vscode.window.createOutputChannel("benchlint trace", { log: true });
    const { output, trace, timings, folder } = this;
    const client = timings.measure("make client", () =>
      makeClient({
        server,
        output,
        trace,
        timings,
        folder,
        work: this.work,
        logFile: this.settings.logFile,
        settings: () =>
          serverSettings(vscode.workspace.getConfiguration("benchlint", this.folder?.uri), this.folder?.uri.fsPath),
        onGone: () => {
          this.fail("The server ended by itself several times in a row.");
        },
      }),
    );
    client.onNotification("window/showMessage", (message: Message) => void showMessage(this, message));
    client.onNotification("benchlint/status", (work: Work) => {
      timings.measure("status", () => {
        this.status.work(work);
      });
    });
    this.client = client;
    output.info(`starting ${[server.command, ...server.args, "serve"].join(" ")}, ${ORIGINS[server.from]}`);
    try {
      await timings.measure("start client", () => client.start());
    } catch (error) {
      this.client = undefined;
      this.fail(`${server.command} could not be started: ${whyNot(error)}`);
      return;
    }
    this.timings.reached("server ready");
    const version = client.initializeResult?.serverInfo?.version ?? server.version ?? "";
    const origin = `benchlint ${version}, ${ORIGINS[server.from]}: ${server.command}`;
    output.info(origin);
    this.status.enter("running", { origin });
  }

  private async halt(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    this.server = undefined;
    this.work.clear();
    await client?.stop(STOP_PATIENCE_MS).catch((error: unknown) => {
      this.output.warn(`the server did not stop in order: ${String(error)}`);
    });
    await client?.dispose().catch(() => undefined);
  }

  private fail(reason: string): void {
    this.output.error(reason);
    this.status.enter("failed", { reason });
    void (async () => {
      const chosen = await vscode.window.showErrorMessage(`benchlint: ${reason}`, "Show Log", "Restart");
      if (chosen === "Show Log") {
        this.output.show(true);
      } else if (chosen === "Restart") {
        await this.restart();
      }
    })();
  }

  private async offerEnvironment(notes: readonly string[]): Promise<void> {
    if (!this.asked) {
      this.asked = true;
      const { offerEnvironment } = await import("./setup");
      await offerEnvironment(this, notes);
    }
  }

  /** Bring the own environment up to the extension, and say what a judge would miss. */
  async lookAfter(): Promise<void> {
    const { server } = this;
    if (server === undefined) {
      return;
    }
    if (server.from === "own" && (await this.own.isStale())) {
      await (await import("./setup")).renewEnvironment(this);
    } else if (server.llm === false && !this.saidLlm && vscode.workspace.isTrusted && namesModels(this.settings.models)) {
      this.saidLlm = true;
      await (await import("./setup")).offerLlm(this, server);
    }
  }
}
