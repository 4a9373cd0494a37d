/** Folders and programs for the tests. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** The project's folder; tests run in `client-vscode`. */
export const PROJECT = path.resolve("..");
const ENVIRONMENT = path.join(PROJECT, ".venv", "bin", "python");
/** An interpreter that has benchlint, where the project is installed. */
export const WITH = existsSync(ENVIRONMENT) ? ENVIRONMENT : undefined;

export async function scratch(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), "benchlint-unit-"));
}

/** Write a shell script that can be run. */
export async function program(file: string, script: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** Make an environment without benchlint and without pip: it takes no time. */
export function bareEnvironment(folder: string): string {
  execFileSync("python3", ["-m", "venv", "--without-pip", folder]);
  return path.join(folder, "bin", "python");
}

/** A script that answers as an interpreter of some version would. */
export function answering(version: number[], more: Record<string, unknown> = {}): string {
  return `echo '${JSON.stringify({ executable: "/opt/python", version, ...more })}'`;
}
