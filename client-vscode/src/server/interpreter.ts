/** What a Python is good for. */

import { run } from "./run";

export const LEAST: readonly [number, number] = [3, 11];
const TIMEOUT_MS = 15_000;

/** A program and the arguments before ours: `py -3`. */
export interface Python {
  command: string;
  args: readonly string[];
}

export type Probe =
  | { kind: "missing" }
  | { kind: "broken"; why: string }
  | { kind: "old"; version: string }
  | {
      kind: "usable";
      /** The interpreter's own path. */
      executable: string;
      version: string;
      /** The version of the benchlint that it has. */
      benchlint: string | undefined;
      /** Whether litellm is there, which models are asked with. */
      llm: boolean;
      /** Whether it can make environments that have pip. */
      venv: boolean;
    };

/** It stands in the syntax of any Python 3, to learn the version of an old one. */
const SCRIPT = `
import json, sys
told = {"executable": sys.executable, "version": list(sys.version_info[:3])}
if sys.version_info >= (3, 11):
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec
    sys.path[:] = [entry for entry in sys.path if entry not in ("", ".")]
    try:
        told["benchlint"] = version("benchlint") if find_spec("benchlint") else None
    except PackageNotFoundError:
        told["benchlint"] = None
    told["llm"] = find_spec("litellm") is not None
    told["venv"] = find_spec("venv") is not None and find_spec("ensurepip") is not None
print(json.dumps(told))
`;

interface Told {
  executable: string;
  version: number[];
  benchlint?: string | null;
  llm?: boolean;
  venv?: boolean;
}

/** Ask a Python what it is and has. It runs in `cwd`, which should be no workspace. */
export async function probe(python: Python, cwd: string, signal?: AbortSignal): Promise<Probe> {
  const options = { timeoutMs: TIMEOUT_MS, cwd, ...(signal && { signal }) };
  const outcome = await run(python.command, [...python.args, "-c", SCRIPT], options);
  if (outcome.failure === "missing") {
    return { kind: "missing" };
  }
  if (outcome.failure === "timeout") {
    return { kind: "broken", why: `it gave no answer in ${TIMEOUT_MS / 1000} seconds` };
  }
  const told = read(outcome.stdout);
  if (outcome.code !== 0 || told === undefined) {
    return { kind: "broken", why: lastLine(outcome.stderr) || `it ended with ${outcome.code ?? "a signal"}` };
  }
  const version = told.version.join(".");
  const [major = 0, minor = 0] = told.version;
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
    return { kind: "old", version };
  }
  return {
    kind: "usable",
    executable: told.executable,
    version,
    benchlint: told.benchlint ?? undefined,
    llm: told.llm === true,
    venv: told.venv === true,
  };
}

function read(output: string): Told | undefined {
  try {
    const told = JSON.parse(lastLine(output)) as Told;
    return Array.isArray(told.version) && typeof told.executable === "string" ? told : undefined;
  } catch {
    return undefined;
  }
}

/** Return the last line that is not empty. */
export function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.trim() ?? "";
}
