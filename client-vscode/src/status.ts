/** The item in the status bar. */

import * as vscode from "vscode";
import { type Standing, type State, type Work, show, total } from "./statusText";

export class Status implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly counts = new Map<string, number[]>();
  private readonly standing: Standing = { state: "idle", findings: [], work: {}, trusted: true };

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
    return { text: this.item.text, work: this.standing.work, findings: total(this.standing.findings) };
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
      const found = [0, 0, 0, 0];
      for (const { source, severity } of vscode.languages.getDiagnostics(uri)) {
        if (source === "benchlint") {
          found[severity] = (found[severity] ?? 0) + 1;
          any = true;
        }
      }
      if (total(found) > 0) {
        this.counts.set(uri.toString(), found);
      } else {
        this.counts.delete(uri.toString());
      }
    }
    const files = [...this.counts.values()];
    this.standing.findings = [0, 1, 2, 3].map((severity) => total(files.map((found) => found[severity] ?? 0)));
    this.draw();
    return any;
  }

  dispose(): void {
    this.item.dispose();
  }

  /** Show what is so now. */
  draw(): void {
    this.standing.trusted = vscode.workspace.isTrusted;
    const { text, tooltip, severity } = show(this.standing);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(tooltip);
    this.item.backgroundColor =
      severity === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.item.show();
  }
}
