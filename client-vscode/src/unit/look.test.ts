import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { isPart, looksLikePart } from "../look";

const PARTS: [string, string][] = [
  ["benchlint.toml", ""],
  ["pyproject.toml", '[project]\nname = "x"\n\n[tool.benchlint.lint]\n'],
  ["tasks.json", '[\n  {\n    "id": "1",\n    "user_scenario": {'],
  ["tasks.json", '[{"id":"1","evaluation_criteria":{'],
  ["one.json", '{"description": "You want", "expected": {"behaviour": "…"}}'],
  ["mine.yaml", "benchlint: 1\npolicy: policy.md\n"],
  ["mine.json", '{\n  "benchlint": 1,'],
  ["tasks_test.py", 'TASKS = [Task(user_id="a", instruction="…", actions=[Action('],
  ["dataset.pickle", "\x80\x04\x8c\x11event_description\x94"],
];
const OTHERS: [string, string][] = [
  ["tasks.json", '{"version": "2.0.0", "tasks": [{"label": "build", "type": "shell"}]}'],
  ["package.json", '{"name": "benchlint", "version": "1.0.0", "description": "…"}'],
  ["pyproject.toml", '[project]\nname = "x"\ndependencies = ["benchlint"]\n'],
  ["main.yml", "- name: install\n  apt: name=vim\n"],
  ["tasks.py", "def task():\n    return 1\n"],
  ["data.json", "[1, 2, 3]"],
];

test("a benchmark's files are told by their beginning", () => {
  for (const [name, head] of PARTS) {
    assert.equal(isPart(`/b/${name}`, head), true, `${name}: ${head}`);
  }
});

test("other files of the same names are not", () => {
  for (const [name, head] of OTHERS) {
    assert.equal(isPart(`/b/${name}`, head), false, `${name}: ${head}`);
  }
});

test("a file on the disk is looked at no further than its beginning", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "benchlint-look-"));
  const early = path.join(folder, "early.json");
  const late = path.join(folder, "late.json");
  await writeFile(early, `\ufeff[{"user_scenario": {}},\r\n${" ".repeat(100_000)}]`);
  await writeFile(late, `[${" ".repeat(100_000)}{"user_scenario": {}}]`);
  assert.equal(await looksLikePart(early), true);
  assert.equal(await looksLikePart(late), false);
  assert.equal(await looksLikePart(path.join(folder, "nowhere.json")), false);
  assert.equal(await looksLikePart(path.join(folder, "early.txt")), false);
});
