/** The item in the status bar. */

import * as vscode from "vscode";
import { type Standing, type State, type Work, show } from "./statusText";

export class Status implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly counts = new Map<string, number>();
  private readonly standing: Standing = { state: "idle", findings: 0, work: {}, trusted: true };

  constructor() {
    this.item = vscode.window.createStatusBarItem("benchlint.status", vscode.StatusBarAlignment.Left, 10);
    this.item.name = "benchlint";
    this.item.command = "benchlint.showMenu";
  }

  get state(): State {
    return this.standing.state;
  }

  /** What is shown, for tests and for the debug information. */
  get shown(): { text: string; work: Work; findings: number } {
    return { text: this.item.text, work: this.standing.work, findings: this.standing.findings };
  }

  enter(state: State, more: { origin?: string; reason?: string } = {}): void {
    Object.assign(this.standing, { state, origin: more.origin, reason: more.reason });
    if (state !== "running") {
      this.standing.work = {};
    }
    void vscode.commands.executeCommand("setContext", "benchlint.running", state === "running");
    this.draw();
  }

  /** Take up what the server tells of its work. */
  work(work: Work): void {
    this.standing.work = work;
    this.draw();
  }

  /** Count the findings of some files anew; return whether there are any. */
  recount(uris: readonly vscode.Uri[]): boolean {
    let any = false;
    for (const uri of uris) {
      const key = uri.toString();
      const found = vscode.languages.getDiagnostics(uri).filter((item) => item.source === "benchlint").length;
      const before = this.counts.get(key) ?? 0;
      this.standing.findings += found - before;
      any ||= found > 0;
      if (found > 0) {
        this.counts.set(key, found);
      } else {
        this.counts.delete(key);
      }
    }
    this.draw();
    return any;
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(): void {
    this.standing.trusted = vscode.workspace.isTrusted;
    const { text, tooltip, severity } = show(this.standing);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(tooltip);
    this.item.backgroundColor =
      severity === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.item.show();
  }
}
