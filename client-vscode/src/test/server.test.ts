import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, finding, findings, show, until, withSettings } from "./help";

const TASKS = "tasks.json";
const PYTHON = process.env.BENCHLINT_TEST_PYTHON;
const INDEX = process.env.BENCHLINT_TEST_INDEX;
const CHECKS_SPEED = process.env.BENCHLINT_TEST_SPEED !== undefined;

describe("the server", () => {
  before(async () => {
    await api();
    await show(TASKS);
    await finding(TASKS, "unknown-tool");
  });

  it("comes from the path that is set", async () => {
    const { server, state } = await api();
    assert.equal(state, "running");
    assert.equal(server?.from, "path");
  });

  it("was quick, and let the extension host breathe", async () => {
    const { timings } = await api();
    console.log(`first finding after ${timings.firstDiagnosticMs?.toFixed(0)} ms; longest call: ${timings.longest.name}, ${timings.longest.ms.toFixed(1)} ms; ${JSON.stringify(timings.milestones)} ${JSON.stringify(timings.calls)}`);
    assert.ok(timings.firstDiagnosticMs !== undefined);
    if (CHECKS_SPEED) {
      assert.ok(timings.firstDiagnosticMs < 2_000, `${timings.firstDiagnosticMs} ms`);
      assert.ok(timings.longest.ms < 50, JSON.stringify(timings.longest));
    }
  });

  it("counts its findings in the status bar", async () => {
    const exports = await api();
    await until("the same number", () => {
      const all = vscode.languages.getDiagnostics().flatMap(([, items]) => items);
      const count = all.filter(({ source }) => source === "benchlint").length;
      return exports.statusText.endsWith(` benchlint ${count}`) && count > 0;
    });
  });

  it("takes up settings while it runs", async () => {
    assert.ok(findings(TASKS).some(({ severity }) => severity !== vscode.DiagnosticSeverity.Error));
    await withSettings({ minSeverity: "error" }, async () => {
      await until("only errors", () => {
        const found = findings(TASKS);
        return found.length > 0 && found.every(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
      });
    });
    await finding(TASKS, "inaction-passes");
  });

  it("comes from an interpreter that has it", async function () {
    if (PYTHON === undefined) {
      this.skip();
    }
    await withSettings({ path: [], interpreter: [PYTHON] }, async () => {
      await comesFrom("interpreter");
      assert.equal((await api()).server?.command, PYTHON);
      await finding(TASKS, "unknown-tool");
    });
    await comesFrom("path");
  });

  it("comes from an environment of the extension's own", async function () {
    if (INDEX === undefined) {
      this.skip();
    }
    this.timeout(300_000);
    await withSettings({ path: [], importStrategy: "useBundled" }, async () => {
      await vscode.commands.executeCommand("benchlint.setUpEnvironment");
      await comesFrom("own");
      await finding(TASKS, "unknown-tool");
      await vscode.commands.executeCommand("benchlint.removeEnvironment");
      assert.equal((await api()).state, "missing");
    });
    await comesFrom("path");
  });

  it("is left alone where linting is off", async () => {
    await withSettings({ enable: false }, async () => {
      await until("the end", () => findings(TASKS).length === 0);
      const exports = await api();
      await exports.ready();
      assert.equal(exports.state, "stopped");
    });
    await finding(TASKS, "unknown-tool");
  });

  it("that cannot be started is told, and the next one helps", async () => {
    await withSettings({ path: ["/bin/false"] }, async () => {
      const exports = await api();
      await until("the failure", () => exports.state === "failed");
    });
    await comesFrom("path");
    await finding(TASKS, "unknown-tool");
  });

  it("can be started anew", async () => {
    await vscode.commands.executeCommand("benchlint.restart");
    assert.equal((await api()).state, "running");
    await finding(TASKS, "unknown-tool");
  });
});

async function comesFrom(place: string): Promise<void> {
  const exports = await api();
  await until(`a server from the ${place}`, () => exports.state === "running" && exports.server?.from === place);
}
