/** What the status bar says. */

export type State = "idle" | "starting" | "running" | "stopped" | "missing" | "failed";

/** `benchlint/status`, a notification of the server. */
export interface Work {
  findings?: number;
  /** Questions to models that are on their way. */
  judging?: number;
  /** What the session has spent; null where no price is known. */
  spent_usd?: number | null;
  calls?: number;
  /** Tasks whose verdicts are of earlier texts. */
  stale?: number;
}

const SEVERITIES = ["error", "warning", "informational finding", "hint"];

export interface Standing {
  state: State;
  /** Findings that are shown, by severity, the worst first. */
  findings: readonly number[];
  work: Work;
  trusted: boolean;
  /** Where the server comes from, in words. */
  origin?: string | undefined;
  /** Why there is none. */
  reason?: string | undefined;
}

export interface Shown {
  text: string;
  tooltip: string;
  severity: "none" | "warning" | "error";
}

/** Write a standing for the status bar; the tooltip has a line each. */
export function show(standing: Standing): Shown {
  const { state, work } = standing;
  switch (state) {
    case "idle":
      return { text: "$(circle-outline) benchlint", tooltip: "No benchmark was found in this window. Run *Lint This Workspace* to lint it all the same.", severity: "none" };
    case "starting":
      return { text: "$(sync~spin) benchlint", tooltip: "The server is starting.", severity: "none" };
    case "stopped":
      return { text: "$(circle-slash) benchlint", tooltip: "Linting is off in this window, by the setting `benchlint.enable`.", severity: "none" };
    case "missing":
      return {
        text: "$(warning) benchlint",
        tooltip: standing.reason ?? "No benchlint was found.",
        severity: "warning",
      };
    case "failed":
      return { text: "$(error) benchlint", tooltip: standing.reason ?? "The server failed.", severity: "error" };
    case "running":
      return { text: running(standing), tooltip: details(standing), severity: "none" };
  }
  function running({ findings: bySeverity }: Standing): string {
    const findings = total(bySeverity);
    const judging = work.judging ?? 0;
    const icon = judging > 0 ? "$(loading~spin)" : findings === 0 ? "$(check)" : "$(beaker)";
    const parts = [`${icon} benchlint ${findings}`];
    if (judging > 0) {
      parts.push(`judging ${judging}`);
    }
    if ((work.calls ?? 0) > 0 && typeof work.spent_usd === "number") {
      parts.push(dollars(work.spent_usd));
    }
    return parts.join(" · ");
  }
}

/** Write an amount: cents, and more places where there are less than ten. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount > 0 && amount < 0.1 ? 4 : 2)}`;
}

/** Write a number with its noun. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Add up counts by severity. */
export function total(findings: readonly number[]): number {
  return findings.reduce((sum, number) => sum + number, 0);
}

function details({ findings, work, trusted, origin }: Standing): string {
  const kinds = SEVERITIES.map((name, index) => ({ name, number: findings[index] ?? 0 })).filter(({ number }) => number > 0);
  const each = kinds.map(({ name, number }) => count(number, name)).join(", ");
  const lines = [total(findings) === 0 ? "No findings." : `Found ${each}.`];
  if ((work.judging ?? 0) > 0) {
    lines.push(`Judges are being asked ${count(work.judging ?? 0, "question")}.`);
  }
  if ((work.stale ?? 0) > 0) {
    lines.push(`${count(work.stale ?? 0, "task has", "tasks have")} changed since the judges read ${work.stale === 1 ? "it" : "them"}.`);
  }
  if ((work.calls ?? 0) > 0) {
    const price = typeof work.spent_usd === "number" ? dollars(work.spent_usd) : "at an unknown price";
    lines.push(`This session: ${count(work.calls ?? 0, "model call")}, ${price}.`);
  }
  if (!trusted) {
    lines.push("The workspace is not trusted: its judges, replay and guards are off.");
  }
  if (origin !== undefined) {
    lines.push(origin);
  }
  return lines.join("\n\n");
}
