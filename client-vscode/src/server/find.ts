/** Where the server comes from: a path, an interpreter, the PATH, an environment of the extension's own. */

import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Probe, probe } from "./interpreter";
import { expand, isInside, isProgram, onPath } from "./paths";

export interface Server {
  command: string;
  /** What stands before `serve`, `init` and so on. */
  args: readonly string[];
  from: "path" | "interpreter" | "PATH" | "own";
  /** The interpreter, where it is known. */
  python?: string;
  version?: string;
  /** Whether models can be asked, where it is known. */
  llm?: boolean;
}

export interface Wish {
  paths: readonly string[];
  interpreters: readonly string[];
  useBundled: boolean;
  trusted: boolean;
  /** The folders of the workspace. */
  folders: readonly string[];
  /** A folder to run in that is no workspace. */
  cwd: string;
  /** The interpreter that the Python extension has chosen. */
  chosen: () => Promise<string | undefined>;
  /** The interpreter of the extension's own environment, where it has one. */
  own: () => Promise<string | undefined>;
}

export interface Search {
  server: Server | undefined;
  /** What was looked at in vain, a sentence each. */
  notes: string[];
}

/** Say whether two servers are the same program, found at the same place. */
export function isSame(one: Server | undefined, other: Server | undefined): boolean {
  const told = (server: Server | undefined): unknown => server && [server.from, server.command, ...server.args];
  return isDeepStrictEqual(told(one), told(other));
}

const MODULE: readonly string[] = ["-P", "-m", "benchlint"];

/** Find the server. What is configured and cannot be used is noted, and the next place is looked at. */
export async function findServer(wish: Wish): Promise<Search> {
  const notes: string[] = [];
  const server =
    (await fromPaths(wish, notes)) ??
    (wish.useBundled ? undefined : ((await fromInterpreters(wish, notes)) ?? (await fromPath(wish)))) ??
    (await fromOwn(wish, notes));
  return { server, notes };
}

async function fromPaths(wish: Wish, notes: string[]): Promise<Server | undefined> {
  for (const { given, file } of await allowed("benchlint.path", wish.paths, wish, notes)) {
    if (await isProgram(file)) {
      return { command: file, args: [], from: "path" };
    }
    notes.push(`benchlint.path: ${given} is no program that can be run.`);
  }
  return undefined;
}

async function fromInterpreters(wish: Wish, notes: string[]): Promise<Server | undefined> {
  const files = await allowed("benchlint.interpreter", wish.interpreters, wish, notes);
  if (wish.interpreters.length === 0 && wish.trusted) {
    const chosen = await wish.chosen();
    if (chosen !== undefined) {
      files.push({ given: chosen, file: chosen });
    }
  }
  for (const { file } of files) {
    const found = await probe({ command: file, args: [] }, wish.cwd);
    if (found.kind === "usable" && found.benchlint !== undefined) {
      return asServer(file, found, "interpreter");
    }
    notes.push(explain(file, found));
  }
  return undefined;
}

async function fromPath(wish: Wish): Promise<Server | undefined> {
  for (const file of await onPath("benchlint")) {
    if (wish.trusted || !(await isInside(file, wish.folders))) {
      return { command: file, args: [], from: "PATH" };
    }
  }
  return undefined;
}

async function fromOwn(wish: Wish, notes: string[]): Promise<Server | undefined> {
  const python = await wish.own();
  if (python === undefined) {
    return undefined;
  }
  const found = await probe({ command: python, args: [] }, wish.cwd);
  if (found.kind === "usable" && found.benchlint !== undefined) {
    return asServer(python, found, "own");
  }
  notes.push(explain(python, found));
  return undefined;
}

function asServer(python: string, found: Probe & { kind: "usable" }, from: Server["from"]): Server {
  const server: Server = { command: python, args: MODULE, from, python, llm: found.llm };
  return found.benchlint === undefined ? server : { ...server, version: found.benchlint };
}

/** Say why an interpreter is of no use. */
export function explain(python: string, found: Probe): string {
  switch (found.kind) {
    case "missing":
      return `${python} does not exist.`;
    case "old":
      return `${python} is Python ${found.version}; benchlint needs 3.11 or later.`;
    case "broken":
      return `${python} cannot be used: ${found.why}`;
    case "usable":
      return `${python} has no benchlint; "pip install benchlint" in its environment adds it.`;
  }
}

/** Return what settings name, without what a workspace that is not trusted brings along. */
async function allowed(
  setting: string,
  given: readonly string[],
  wish: Wish,
  notes: string[],
): Promise<{ given: string; file: string }[]> {
  const files: { given: string; file: string }[] = [];
  for (const text of given) {
    const file = expand(text, wish.folders[0]);
    const absolute = path.isAbsolute(file);
    const place = absolute || wish.folders[0] === undefined ? file : path.join(wish.folders[0], file);
    if (!path.isAbsolute(place)) {
      notes.push(`${setting}: ${text} is no absolute path.`);
    } else if (!wish.trusted && (!absolute || (await isInside(place, wish.folders)))) {
      notes.push(`${setting}: ${text} lies in the workspace, which is not trusted, and is not used.`);
    } else {
      files.push({ given: text, file: place });
    }
  }
  return files;
}
