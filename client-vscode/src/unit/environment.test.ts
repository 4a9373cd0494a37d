import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { before, test } from "node:test";
import { OwnEnvironment, type Setup } from "../server/environment";
import { type Kind, SetupFailure } from "../server/failures";
import { probe } from "../server/interpreter";
import { answering, program, scratch } from "./help";

let folder = "";
let bundled = "";
let number = 0;

before(async () => {
  folder = await scratch();
  bundled = path.join(folder, "bundled");
  await mkdir(bundled);
  await writeFile(path.join(bundled, "benchlint-0.0.0-py3-none-any.whl"), "no wheel");
});

async function attempt(more: Partial<Setup>, wheels = bundled): Promise<{ failure: SetupFailure; storage: string }> {
  number += 1;
  const storage = path.join(folder, `storage-${number}`);
  const setup: Setup = {
    pythons: [],
    llm: false,
    signal: new AbortController().signal,
    progress: () => undefined,
    searchPath: path.join(folder, "empty"),
    ...more,
  };
  try {
    await new OwnEnvironment(storage, wheels).setUp(setup);
  } catch (error) {
    assert.ok(error instanceof SetupFailure, String(error));
    return { failure: error, storage };
  }
  return assert.fail("nothing failed");
}

async function fails(kind: Kind, word: RegExp, more: Partial<Setup>, wheels = bundled): Promise<SetupFailure> {
  const { failure, storage } = await attempt(more, wheels);
  assert.equal(failure.kind, kind, failure.details);
  assert.match(failure.message, word);
  assert.deepEqual(existsSync(storage) ? await readdir(storage) : [], [], "something was left behind");
  return failure;
}

test("no Python", async () => {
  await fails("no-python", /No Python was found\. Install Python 3\.11/, {});
});

test("only an old Python", async () => {
  await program(path.join(folder, "oldpath", "python3"), answering([3, 9, 2]));
  await fails("old-python", /needs Python 3\.11 or later, and only 3\.9\.2 was found/, { searchPath: path.join(folder, "oldpath") });
});

test("a Python that makes no environments", async () => {
  const python = await program(path.join(folder, "novenv", "python3"), answering([3, 12, 1], { venv: false }));
  await fails("no-venv", /cannot make environments/, { pythons: [python] });
});

test("a Python whose venv fails in the end", async () => {
  const script = `case "$*" in *" venv "*) echo 'Error: ensurepip is not available.'; exit 1;; *) ${answering([3, 12, 1], { venv: true }).replace("/opt/python", path.join(folder, "half", "python3"))};; esac`;
  const python = await program(path.join(folder, "half", "python3"), script);
  await fails("no-venv", /venv or ensurepip is missing/, { pythons: [python] });
});

test("an extension without a wheel", async () => {
  await fails("no-wheel", /packaged without benchlint/, {}, path.join(folder, "nothing"));
});

test("cancelled before it began", async () => {
  await fails("cancelled", /cancelled/, { signal: AbortSignal.abort(), searchPath: process.env.PATH ?? "" });
});

test("cancelled while pip runs leaves the old environment alone", async () => {
  const controller = new AbortController();
  const progress = (message: string): void => {
    if (message.startsWith("installing")) {
      controller.abort();
    }
  };
  await fails("cancelled", /cancelled/, { signal: controller.signal, progress, searchPath: process.env.PATH ?? "" });
});

test("a wheel that is none", async () => {
  await fails("other", /pip could not install benchlint/, { searchPath: process.env.PATH ?? "" });
});

const WHEELS = path.resolve("bundled");
const wheel = existsSync(WHEELS) ? undefined : "the extension was not packaged: make extension";

test("an index that cannot be reached", { skip: wheel }, async () => {
  const before = { ...process.env };
  Object.assign(process.env, { PIP_INDEX_URL: "http://127.0.0.1:9/simple", PIP_NO_CACHE_DIR: "1", PIP_CONFIG_FILE: "/dev/null" });
  try {
    const failure = await fails("no-index", /package index cannot be reached/, { searchPath: process.env.PATH ?? "" }, WHEELS);
    assert.match(failure.details, /127\.0\.0\.1/);
  } finally {
    process.env = before;
  }
});

test("an environment is made from the wheel, and knows when it is stale", { skip: wheel ?? (process.env.BENCHLINT_TEST_INDEX === undefined && "needs a package index: BENCHLINT_TEST_INDEX=1") }, async () => {
  const storage = path.join(folder, "whole");
  const own = new OwnEnvironment(storage, WHEELS);
  const words: string[] = [];
  assert.equal(await own.python(), undefined);
  const signal = new AbortController().signal;
  await own.setUp({ pythons: [], llm: false, signal, progress: (message) => words.push(message) });
  const python = await own.python();
  assert.ok(python !== undefined);
  const found = await probe({ command: python, args: [] }, storage);
  assert.ok(found.kind === "usable" && found.benchlint !== undefined, JSON.stringify(found));
  assert.equal(found.llm, false);
  assert.equal(await own.isStale(), false);
  assert.equal(await new OwnEnvironment(storage, bundled).isStale(), true);
  assert.ok(words.includes("fetching pydantic"), words.join(", "));
  assert.deepEqual(await readdir(storage), ["environment"]);
  await own.remove();
  assert.equal(await own.python(), undefined);
});
