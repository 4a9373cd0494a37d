import assert from "node:assert/strict";
import { test } from "node:test";
import { namesModels, readSettings, serverSettings } from "../settings";

const reader = (values: Record<string, unknown>) => ({ get: (name: string) => values[name] });

test("nothing set says nothing to the server", () => {
  const defaults = { select: [], ignore: [], minSeverity: null, configuration: "", "judge.models": [], "judge.maxUsd": null };
  assert.deepEqual(serverSettings(reader(defaults), "/w"), { judge: {} });
});

test("what is set is told in the server's names", () => {
  const values = {
    select: ["tools"],
    minSeverity: "warning",
    configuration: "${workspaceFolder}/b.toml",
    maxDiagnostics: 9,
    "judge.models": ["openai/gpt-4o"],
    "judge.when": "onSave",
    "judge.maxUsd": 0,
  };
  assert.deepEqual(serverSettings(reader(values), "/w"), {
    select: ["tools"],
    minSeverity: "warning",
    configuration: "/w/b.toml",
    maxDiagnostics: 9,
    judge: { models: ["openai/gpt-4o"], when: "onSave", maxUsd: 0 },
  });
});

test("one path in place of a list is a list, and what is no text is left out", () => {
  const settings = readSettings(reader({ path: "/a", interpreter: ["/b", 3, ""], importStrategy: "useBundled", enable: true }));
  assert.deepEqual(settings.paths, ["/a"]);
  assert.deepEqual(settings.interpreters, ["/b"]);
  assert.equal(settings.useBundled, true);
  assert.equal(settings.enable, true);
});

test("some judges are no models", () => {
  assert.equal(namesModels(["offline", "cached", "none"]), false);
  assert.equal(namesModels(["offline", "openai/gpt-4o"]), true);
  assert.equal(namesModels([]), false);
});
