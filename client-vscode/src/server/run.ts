/** Running a program to its end. */

import { spawn } from "node:child_process";

export interface Outcome {
  /** The exit code; undefined where the program did not end by itself. */
  code: number | undefined;
  stdout: string;
  stderr: string;
  /** Why there is no exit code. */
  failure?: "missing" | "timeout" | "cancelled" | "refused";
}

export interface RunOptions {
  timeoutMs: number;
  cwd?: string;
  signal?: AbortSignal;
  /** Gets every line of standard output as it comes. */
  onLine?: (line: string) => void;
}

const MOST_OUTPUT = 200_000;

/** Run a program without a shell; never throws. The end of long output is kept. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const outcome: Outcome = { code: undefined, stdout: "", stderr: "" };
    let rest = "";
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, PYTHONUTF8: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = (failure: "timeout" | "cancelled") => () => {
      outcome.failure ??= failure;
      child.kill("SIGKILL");
    };
    const onTimeout = stop("timeout");
    const onAbort = stop("cancelled");
    const timer = setTimeout(onTimeout, options.timeoutMs);
    const done = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    options.signal?.addEventListener("abort", onAbort);
    if (options.signal?.aborted) {
      onAbort();
    }
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      outcome.stdout = (outcome.stdout + text).slice(-MOST_OUTPUT);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach((line) => options.onLine?.(line.trimEnd()));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      outcome.stderr = (outcome.stderr + text).slice(-MOST_OUTPUT);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      outcome.failure ??= error.code === "ENOENT" ? "missing" : "refused";
      outcome.stderr ||= error.message;
      done();
    });
    child.on("close", (code) => {
      if (outcome.failure === undefined) {
        outcome.code = code ?? -1;
      }
      done();
    });
  });
}
