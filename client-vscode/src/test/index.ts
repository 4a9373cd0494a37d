/** Runs the tests inside of an extension host: `extensionTestsPath` leads here. */

import { readdirSync } from "node:fs";
import path from "node:path";
import Mocha from "mocha";

const TIMEOUT_MS = 60_000;

export function run(): Promise<void> {
  const grep = process.env.BENCHLINT_TEST_GREP;
  const mocha = new Mocha({ ui: "bdd", timeout: TIMEOUT_MS, reporter: "spec", color: false, ...(grep !== undefined && { grep }) });
  for (const name of readdirSync(__dirname).filter((item) => item.endsWith(".test.js")).sort()) {
    mocha.addFile(path.join(__dirname, name));
  }
  return new Promise((resolve, reject) => {
    mocha.run((failures) => {
      if (failures > 0) {
        reject(new Error(`${failures} tests failed`));
      } else {
        resolve();
      }
    });
  });
}
