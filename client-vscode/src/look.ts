/** A first look at the beginning of a file: whether it is worth a server. The server's own look decides more finely. */

import { open, readdir } from "node:fs/promises";
import path from "node:path";

const HEAD = 16_384;

/** Names that a benchmark's files have, for a search in a folder. */
export const NAMES =
  "**/{benchlint.toml,pyproject.toml,*.benchlint.json,*.benchlint.yaml,*.benchlint.yml,tasks*.json,tasks*.jsonl,tasks*.yaml,tasks*.yml,tasks*.py,*dataset*.pickle}";
export const LEFT_OUT = "**/{node_modules,__pycache__,site-packages,.*}/**";
export const MOST_FILES = 40;

const SUFFIXES = new Set([".json", ".jsonl", ".yaml", ".yml", ".py", ".pickle", ".toml"]);

/** Return the files at the top of a folder that may be of interest. */
export async function candidatesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && isCandidate(entry.name)).map(({ name }) => name);
  return names.slice(0, MOST_FILES).map((name) => path.join(folder, name));
}

/** Say whether a file may be of interest by its name. */
export function isCandidate(file: string): boolean {
  return SUFFIXES.has(path.extname(file).toLowerCase());
}

/** Say whether a file is part of a benchmark by its name and the beginning of its text. */
export function isPart(file: string, head: string): boolean {
  const name = path.basename(file);
  switch (path.extname(file).toLowerCase()) {
    case ".toml":
      return name === "benchlint.toml" || (name === "pyproject.toml" && /^\[+tool\.benchlint\b/m.test(head));
    case ".py":
      return key("instruction", head) && key("actions", head);
    case ".pickle":
      return head.includes("event_description");
    default:
      return (
        ["user_scenario", "evaluation_criteria", "event_description"].some((word) => key(word, head)) ||
        (key("instruction", head) && key("actions", head)) ||
        (key("expected", head) && key("description", head)) ||
        /^\W*benchlint\W{1,3}1\b/m.test(head)
      );
  }
}

/** Say whether a file on the disk is part of a benchmark. */
export async function looksLikePart(file: string): Promise<boolean> {
  if (path.basename(file) === "benchlint.toml") {
    return true;
  }
  return isCandidate(file) && isPart(file, await headOf(file));
}

function key(word: string, head: string): boolean {
  return new RegExp(`\\b${word}["']?\\s*[:=]`).test(head);
}

async function headOf(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
