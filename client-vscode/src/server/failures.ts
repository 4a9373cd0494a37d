/** Why an environment could not be made, in words that say what to do. */

import { lastLine } from "./interpreter";
import type { Outcome } from "./run";

export type Kind = "no-python" | "old-python" | "no-venv" | "no-index" | "not-in-index" | "no-space" | "no-wheel" | "timeout" | "cancelled" | "other";

export class SetupFailure extends Error {
  constructor(
    readonly kind: Kind,
    message: string,
    /** What the programs wrote, for the log. */
    readonly details = "",
  ) {
    super(message);
  }
}

const UNREACHABLE =
  /NewConnectionError|Failed to establish|Max retries exceeded|Name or service not known|Temporary failure in name resolution|getaddrinfo failed|ProxyError|ConnectTimeout|ReadTimeout|SSLError|Connection (?:refused|reset|aborted)|Network is unreachable/i;
const NO_DISTRIBUTION = /No matching distribution found for ([^\s(]+)|Could not find a version that satisfies the requirement ([^\s(]+)/;
const NO_ENSUREPIP = /ensurepip is not|No module named '?(?:venv|ensurepip)/;

export const NO_PYTHON =
  "No Python was found. Install Python 3.11 or later, or name one in the setting benchlint.interpreter.";
export const NO_WHEEL = "The extension was packaged without benchlint. Install benchlint with pip and name its program in the setting benchlint.path.";

/** Say that only old Pythons were found. */
export function oldPython(versions: readonly string[]): SetupFailure {
  const found = [...new Set(versions)].join(", ");
  return new SetupFailure(
    "old-python",
    `benchlint needs Python 3.11 or later, and only ${found} was found. Install a newer one, or name one in the setting benchlint.interpreter.`,
  );
}

/** Say that a Python makes no environments. */
export function noVenv(python: string, details = ""): SetupFailure {
  const hint = process.platform === "linux" ? ' On Debian and Ubuntu "sudo apt install python3-venv" adds it.' : "";
  return new SetupFailure("no-venv", `${python} cannot make environments: its module venv or ensurepip is missing.${hint}`, details);
}

/** Say why `python -m venv` failed. */
export function venvFailure(python: string, outcome: Outcome): SetupFailure {
  const details = `${outcome.stdout}\n${outcome.stderr}`.trim();
  return (
    common(outcome, details, "Making the environment") ??
    (NO_ENSUREPIP.test(details)
      ? noVenv(python, details)
      : new SetupFailure("other", `The environment could not be made: ${lastLine(details) || "no reason was given"}`, details))
  );
}

/** Say why pip failed. */
export function pipFailure(outcome: Outcome): SetupFailure {
  const details = `${outcome.stdout}\n${outcome.stderr}`.trim();
  const known = common(outcome, details, "Installing");
  if (known !== undefined) {
    return known;
  }
  if (UNREACHABLE.test(details)) {
    const message =
      "The package index cannot be reached. Check the connection and the proxy; another index can be named in pip's configuration or in the variable PIP_INDEX_URL.";
    return new SetupFailure("no-index", message, details);
  }
  const missing = NO_DISTRIBUTION.exec(details);
  if (missing !== null) {
    const name = missing[1] ?? missing[2] ?? "a package";
    return new SetupFailure("not-in-index", `The package index that pip uses has no ${name} for this Python.`, details);
  }
  const error = details.split("\n").filter((line) => line.startsWith("ERROR:")).at(-1);
  return new SetupFailure("other", `pip could not install benchlint: ${error?.slice(6).trim() ?? lastLine(details)}`, details);
}

/** Say why a server did not start, in words for who has set its path. */
export function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /disposed|connection|EPIPE|write after end/i.test(message)
    ? "it ended before it gave an answer. It may be another program, or a benchlint that is too old."
    : message;
}

function common(outcome: Outcome, details: string, what: string): SetupFailure | undefined {
  if (outcome.failure === "cancelled") {
    return new SetupFailure("cancelled", `${what} was cancelled.`, details);
  }
  if (outcome.failure === "timeout") {
    return new SetupFailure("timeout", `${what} took too long and was stopped. The connection may be slow; try again.`, details);
  }
  if (/No space left on device|ENOSPC|not enough space/i.test(details)) {
    return new SetupFailure("no-space", "There is no space left on the disk for benchlint's environment.", details);
  }
  return undefined;
}
