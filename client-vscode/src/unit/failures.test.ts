import assert from "node:assert/strict";
import { test } from "node:test";
import { pipFailure, venvFailure, whyNot } from "../server/failures";
import type { Outcome } from "../server/run";

const ended = (stderr: string, more: Partial<Outcome> = {}): Outcome => ({ code: 1, stdout: "", stderr, ...more });

test("what pip says is told apart", () => {
  const unreachable = `WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<urllib3…>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/pygls/
ERROR: Could not find a version that satisfies the requirement pygls<3,>=2.1 (from benchlint) (from versions: none)
ERROR: No matching distribution found for pygls<3,>=2.1`;
  assert.equal(pipFailure(ended(unreachable)).kind, "no-index");
  const lacking = "ERROR: No matching distribution found for tree-sitter<0.27,>=0.25";
  const failure = pipFailure(ended(lacking));
  assert.equal(failure.kind, "not-in-index");
  assert.match(failure.message, /no tree-sitter<0\.27,>=0\.25 for this Python/);
  assert.equal(pipFailure(ended("OSError: [Errno 28] No space left on device")).kind, "no-space");
  assert.equal(pipFailure(ended("", { failure: "timeout" })).kind, "timeout");
  assert.match(pipFailure(ended("ERROR: something else\nnote: more")).message, /pip could not install benchlint: something else/);
});

test("what venv says is told apart", () => {
  const debian = "The virtual environment was not created successfully because ensurepip is not\navailable.";
  assert.equal(venvFailure("python3", ended(debian)).kind, "no-venv");
  assert.match(venvFailure("python3", ended("Error: [Errno 13] Permission denied: '/x'")).message, /Permission denied/);
});

test("a program that ends at once is said to do so", () => {
  assert.match(whyNot(new Error("Pending response rejected since connection got disposed")), /ended before it gave an answer/);
  assert.equal(whyNot(new Error("spawn EACCES")), "spawn EACCES");
});
