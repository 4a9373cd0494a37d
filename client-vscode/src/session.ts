/** The server of this window: found, started, watched, started anew. */

import path from "node:path";
import * as vscode from "vscode";
import type { Client } from "./client";
import { type Message, showFailure, showMessage } from "./messages";
import { onChoice } from "./pythonExtension";
import { searchServer } from "./search";
import { OwnEnvironment } from "./server/environment";
import { whyNot } from "./server/failures";
import { type Search, type Server, isSame } from "./server/find";
import { namesModels, readSettings, serverSettings } from "./settings";
import { Status } from "./status";
import type { Work } from "./statusText";
import { Steps } from "./steps";
import type { Timings } from "./timings";

const STOP_PATIENCE_MS = 4_000;
/** Trust, and the settings that it lets count, come one after the other. */
const CHANGES_WITHIN_MS = 100;
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
  private readonly steps = new Steps();
  /** The log file that the running server was given. */
  private logFile: string | undefined;
  private asked = false;
  private saidLlm = false;
  private follows = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly timings: Timings,
  ) {
    this.own = new OwnEnvironment(this.storage, path.join(context.extensionPath, "bundled"));
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
    return this.steps.add(async () => {
      await this.halt();
      await this.start();
    });
  }

  /** Follow settings and trust: the running server is told, and only where they ask for another is one started. */
  follow(): Promise<void> {
    return this.steps.once(async () => {
      const { client, server } = this;
      let search: Search | undefined;
      if (client?.isRunning() && this.settings.enable && this.settings.logFile === this.logFile) {
        search = await searchServer(this);
        if (isSame(search.server, server)) {
          await client.sendNotification("benchlint/trust", { trusted: vscode.workspace.isTrusted });
          this.status.draw();
          this.started();
          return;
        }
      }
      await this.halt();
      await this.start(search);
    }, CHANGES_WITHIN_MS);
  }

  /** Stop the server. */
  stop(): Promise<void> {
    return this.steps.add(async () => {
      await this.halt();
      this.status.enter("stopped");
    });
  }

  /** Do something while no server runs, then start one. */
  replacing(change: () => Promise<void>): Promise<void> {
    this.wanted = true;
    return this.steps.add(async () => {
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
    return this.steps.settled();
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
    if (!this.isWorking) {
      void vscode.window.showInformationMessage("benchlint: nothing is being judged or replayed.");
    }
    for (const token of this.work) {
      await this.client?.sendNotification("window/workDoneProgress/cancel", { token });
    }
  }

  dispose(): void {
    this.status.dispose();
    this.trace?.dispose();
    this.output.dispose();
  }

  private async start(search?: Search): Promise<void> {
    if (!this.settings.enable) {
      this.status.enter("stopped");
      return;
    }
    this.status.enter("starting");
    const { server, notes } = search ?? (await searchServer(this));
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
    this.started();
  }

  private started(): void {
    void this.lookAfter();
    void this.followChoice();
  }

  /** Follow the interpreter that is chosen, once the Python extension is there: without trust it may not be. */
  private async followChoice(): Promise<void> {
    if (!this.follows) {
      this.follows = true;
      const listener = await onChoice(() => void this.follow());
      if (listener === undefined) {
        this.follows = false;
      } else {
        this.owns(listener);
      }
    }
  }

  private async run(server: Server): Promise<void> {
    const { loadClient } = await this.timings.load("read client", () => import("./client"));
    const { makeClient } = await loadClient(this.timings);
    this.trace ??= vscode.window.createOutputChannel("benchlint trace", { log: true });
    const { output, trace, timings, folder } = this;
    this.logFile = this.settings.logFile;
    const client = timings.measure("make client", () =>
      makeClient({
        server,
        output,
        trace,
        timings,
        folder,
        work: this.work,
        logFile: this.logFile,
        settings: () =>
          serverSettings(vscode.workspace.getConfiguration("benchlint", this.folder?.uri), this.folder?.uri.fsPath),
        onGone: () => {
          this.fail("The server ended unexpectedly several times in a row.");
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
    void showFailure(this, reason);
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
