import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Server, type Wish, findServer, isSame } from "../server/find";
import { WITH, answering, bareEnvironment, program, scratch } from "./help";

const PATH = process.env.PATH;
let folder = "";
let workspace = "";

before(async () => {
  folder = await scratch();
  workspace = path.join(folder, "workspace");
  await mkdir(workspace);
  process.env.PATH = (PATH ?? "").split(path.delimiter).filter((entry) => !entry.includes("venv")).join(path.delimiter);
});

after(() => {
  process.env.PATH = PATH;
});

function wish(more: Partial<Wish>): Wish {
  return {
    paths: [],
    interpreters: [],
    useBundled: false,
    trusted: true,
    folders: [workspace],
    cwd: folder,
    chosen: () => Promise.resolve(undefined),
    own: () => Promise.resolve(undefined),
    ...more,
  };
}

test("the first path that is a program comes before all else, and what is none is told", async () => {
  const file = await program(path.join(folder, "bin", "benchlint"), "exit 0");
  const { server, notes } = await findServer(wish({ paths: [path.join(folder, "nowhere"), folder, file], interpreters: [WITH ?? file] }));
  assert.deepEqual(server, { command: file, args: [], from: "path" });
  assert.equal(notes.length, 2);
  assert.match(notes[0] ?? "", /nowhere is no program/);
});

test("a relative path is one of the workspace", async () => {
  await program(path.join(workspace, "tools", "benchlint"), "exit 0");
  const { server } = await findServer(wish({ paths: ["tools/benchlint"] }));
  assert.equal(server?.command, path.join(workspace, "tools", "benchlint"));
});

test("an interpreter that has benchlint runs it as a module, off the working folder", { skip: WITH === undefined && "the project is not installed" }, async () => {
  const bare = bareEnvironment(path.join(folder, "bare"));
  const { server, notes } = await findServer(wish({ interpreters: [bare, WITH ?? ""] }));
  assert.equal(server?.from, "interpreter");
  assert.equal(server.command, WITH);
  assert.deepEqual(server.args, ["-P", "-m", "benchlint"]);
  assert.match(server.version ?? "", /^\d+\.\d+/);
  assert.deepEqual(notes.map((note) => note.replace(bare, "PYTHON")), [
    'PYTHON has no benchlint; "pip install benchlint" in its environment adds it.',
  ]);
});

test("the Python extension's choice counts where no interpreter is set", { skip: WITH === undefined && "the project is not installed" }, async () => {
  const { server } = await findServer(wish({ chosen: () => Promise.resolve(WITH) }));
  assert.equal(server?.command, WITH);
  const other = await findServer(wish({ interpreters: ["/nowhere/python"], chosen: () => Promise.resolve(WITH) }));
  assert.notEqual(other.server?.from, "interpreter");
});

test("an old, a missing and a broken interpreter are each told in their own words", async () => {
  const old = await program(path.join(folder, "old"), answering([3, 8, 10]));
  const broken = await program(path.join(folder, "broken"), "echo 'no module named encodings' >&2; exit 1");
  const { server, notes } = await findServer(wish({ interpreters: [old, broken, "/nowhere/python"] }));
  assert.equal(server, undefined);
  assert.deepEqual(notes, [
    `${old} is Python 3.8.10; benchlint needs 3.11 or later.`,
    `${broken} cannot be used: no module named encodings`,
    "/nowhere/python does not exist.",
  ]);
});

test("the bundled one leaves interpreters out", { skip: WITH === undefined && "the project is not installed" }, async () => {
  const own = () => Promise.resolve(WITH);
  const { server } = await findServer(wish({ interpreters: [WITH ?? ""], useBundled: true, own }));
  assert.equal(server?.from, "own");
});

test("a workspace that is not trusted names neither path nor interpreter, by link or by relative path either", async () => {
  const inside = await program(path.join(workspace, "evil"), "exit 0");
  const link = path.join(folder, "link-to-workspace");
  await symlink(workspace, link);
  const untrusted = wish({
    trusted: false,
    paths: ["evil", inside, "${workspaceFolder}/evil", path.join(link, "evil")],
    interpreters: [inside],
    chosen: () => assert.fail("the Python extension is not asked"),
  });
  const { server, notes } = await findServer(untrusted);
  assert.equal(server, undefined);
  assert.equal(notes.length, 5);
  assert.ok(notes.every((note) => note.endsWith("lies in the workspace, which is not trusted, and is not used.")));
});

test("a link out of a workspace that is not trusted is of the workspace all the same", async () => {
  const outside = await program(path.join(folder, "outside"), "exit 0");
  const link = path.join(workspace, "linked");
  await symlink(outside, link);
  const { server } = await findServer(wish({ trusted: false, paths: [link] }));
  assert.equal(server, undefined);
});

test("the user's own path is used in a workspace that is not trusted", async () => {
  const file = await program(path.join(folder, "mine", "benchlint"), "exit 0");
  const { server } = await findServer(wish({ trusted: false, paths: [file] }));
  assert.equal(server?.command, file);
});

test("a program on the PATH counts, one in a relative entry does not", async () => {
  const file = await program(path.join(folder, "onpath", "benchlint"), "exit 0");
  await program(path.join(workspace, "rel", "benchlint"), "exit 0");
  const before = process.env.PATH;
  process.env.PATH = `rel${path.delimiter}${path.join(folder, "onpath")}`;
  try {
    const { server } = await findServer(wish({ own: () => assert.fail("the own environment comes last") }));
    assert.deepEqual(server, { command: file, args: [], from: "PATH" });
  } finally {
    process.env.PATH = before;
  }
});

test("a server is the same where program, arguments and place are, whatever else was learnt of it", () => {
  const server: Server = { command: "/a/python", args: ["-m", "benchlint"], from: "interpreter", llm: false };
  assert.equal(isSame(server, { ...server, llm: true, version: "9" }), true);
  assert.equal(isSame(server, { ...server, command: "/b/python" }), false);
  assert.equal(isSame(server, { ...server, args: [] }), false);
  assert.equal(isSame(server, { ...server, from: "own" }), false);
  assert.equal(isSame(server, undefined), false);
});
