import assert from "node:assert/strict";
import { test } from "node:test";
import { plainPage, themed } from "../reportPage";
import { type Edit, applyEdits, isRewrite } from "../rewriteText";
import { type Standing, show } from "../statusText";
import { Timings } from "../timings";

const at = (start: number, end: number, newText: string): Edit => ({
  range: { start: { line: 0, character: start }, end: { line: 0, character: end } },
  newText,
});
const offset = ({ character }: { character: number }): number => character;

test("edits are applied in the order of their places", () => {
  assert.equal(applyEdits("one two three", [at(8, 13, "3"), at(0, 3, "1"), at(4, 4, "und ")], offset), "1 und two 3");
  assert.throws(() => applyEdits("one two", [at(0, 4, ""), at(3, 5, "")], offset), /overlap/);
});

test("a rewrite without edits is none", () => {
  assert.equal(isRewrite({ uri: "file:///a", title: "t", edits: [at(0, 0, "")] }), true);
  assert.equal(isRewrite({ uri: "file:///a", title: "t", edits: [] }), false);
  assert.equal(isRewrite(undefined), false);
});

test("the status bar tells state, findings and spend", () => {
  const running: Standing = { state: "running", findings: [4, 2, 0, 1], work: {}, trusted: true };
  assert.equal(show(running).text, "$(beaker) benchlint 7");
  assert.equal(show({ ...running, findings: [] }).text, "$(check) benchlint 0");
  assert.match(show(running).tooltip, /^Found 4 errors, 2 warnings, 1 hint\.$/m);
  const judging = show({ ...running, work: { judging: 3, calls: 5, spent_usd: 0.0123, stale: 1 } });
  assert.equal(judging.text, "$(loading~spin) benchlint 7 · judging 3 · $0.0123");
  assert.match(judging.tooltip, /This session: 5 model calls, \$0\.0123\./);
  assert.match(judging.tooltip, /1 task has changed since the judges read it/);
  assert.match(show({ ...running, work: { calls: 2, spent_usd: null } }).tooltip, /2 model calls, at an unknown price/);
  assert.match(show({ ...running, trusted: false }).tooltip, /not trusted/);
  assert.equal(show({ ...running, state: "failed", reason: "gone" }).severity, "error");
});

test("a report keeps its strict policy, and one without is given one", () => {
  const strict = `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head><body></body></html>`;
  assert.equal(themed(strict).match(/Content-Security-Policy/g)?.length, 1);
  assert.match(themed(strict), /--vscode-editor-background[\s\S]*<\/head>/);
  assert.match(themed("<!DOCTYPE html><html><head></head></html>"), /default-src 'none'/);
  assert.match(plainPage("<script>&"), /&lt;script&gt;&amp;/);
});

test("the longest call is kept, also of what throws", () => {
  const timings = new Timings();
  timings.measure("short", () => 1);
  assert.throws(() => timings.measure("long", () => {
    const end = performance.now() + 5;
    while (performance.now() < end);
    throw new Error("no");
  }));
  timings.measure("short", () => 1);
  assert.equal(timings.longest.name, "long");
});
