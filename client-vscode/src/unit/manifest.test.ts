import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { PROJECT } from "./help";

interface Manifest {
  version: string;
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, unknown> };
    jsonValidation: { url: string }[];
    yamlValidation: { url: string }[];
    walkthroughs: { steps: { media: { svg: string }; description: string; completionEvents: string[] }[] }[];
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const { contributes } = manifest;
const read = (...parts: string[]): string => readFileSync(path.join(...parts), "utf8");

test("every command is registered, and none is one of the server's", () => {
  const source = read("src", "commands.ts");
  const inner = ["previewRewrite"];
  const named = contributes.commands.map(({ command }) => command.replace("benchlint.", ""));
  const registered = [...source.matchAll(/^  (\w+): (?:async )?\(/gm)].map(([, name = ""]) => name);
  assert.deepEqual(registered.filter((name) => !inner.includes(name)).sort(), named.sort());
  const servers = ["judgeTask", "judgeFile", "judgeBenchmark", "clearCache", "showReport", "debugDump", "replay"];
  for (const { command } of contributes.commands) {
    const name = command.replace("benchlint.", "");
    assert.match(source, new RegExp(`^  ${name}:`, "m"));
    assert.ok(!servers.includes(name), `${name} is the server's`);
  }
});

test("the walkthrough's pictures and commands exist", () => {
  const commands = new Set(contributes.commands.map(({ command }) => command));
  for (const step of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    assert.ok(existsSync(step.media.svg), step.media.svg);
    for (const [, command = ""] of step.description.matchAll(/\(command:(benchlint[\w.]*)/g)) {
      assert.ok(commands.has(command), command);
    }
  }
});

test("the keys that tick the walkthrough's steps are set somewhere", () => {
  const sources = readdirSync("src").filter((name) => name.endsWith(".ts")).map((name) => read("src", name));
  const events = contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents));
  const keys = events.filter((event) => event.startsWith("onContext:")).map((event) => event.replace("onContext:", ""));
  assert.ok(keys.length > 0);
  for (const key of keys) {
    assert.ok(sources.some((source) => source.includes(`"setContext", "${key}"`)), key);
  }
});

test("what a workspace may not set without trust is a setting", () => {
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) {
    assert.ok(name in contributes.configuration.properties, name);
  }
});

test("no kind of file starts the extension, only names that benchmarks have", () => {
  assert.ok(manifest.activationEvents.every((event) => event.startsWith("workspaceContains:")));
});

test("the schemas are the server's", () => {
  const server = path.join(PROJECT, "server", "benchlint");
  for (const { url } of [...contributes.jsonValidation, ...contributes.yamlValidation]) {
    assert.ok(existsSync(url), `${url}: npm run build`);
  }
  assert.equal(read("dist/schemas/native.schema.json"), read(server, "benchmark", "formats", "native.schema.json"));
  assert.equal(read("dist/schemas/config.schema.json"), read(server, "config.schema.json"));
});

test("extension and server have one version", () => {
  const found = /__version__ = "([^"]+)"/.exec(read(PROJECT, "server", "benchlint", "__init__.py"));
  assert.equal(manifest.version, found?.[1]);
});
