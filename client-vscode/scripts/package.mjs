// Packages benchlint.vsix. The wheel of the server must lie in ../dist already: `make extension` sees to it.
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

const MOST_BYTES = 3 * 1024 * 1024;
const here = path.dirname(import.meta.dirname);
const dist = path.join(here, "..", "dist");
const bundled = path.join(here, "bundled");

const wheels = (await readdir(dist).catch(() => [])).filter((name) => /^benchlint-.*-py3-none-any\.whl$/.test(name));
if (wheels.length !== 1) {
  console.error(`one wheel of benchlint is wanted in ${dist}, and ${wheels.length} are there`);
  process.exit(1);
}
await rm(bundled, { recursive: true, force: true });
await mkdir(bundled);
await copyFile(path.join(dist, wheels[0]), path.join(bundled, wheels[0]));

const vsix = path.join(here, "benchlint.vsix");
const vsce = path.join(here, "node_modules", "@vscode", "vsce", "vsce");
const arguments_ = ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", vsix];
execFileSync(process.execPath, [vsce, ...arguments_], { cwd: here, stdio: "inherit" });

const { size } = await stat(vsix);
if (size > MOST_BYTES) {
  console.error(`${vsix} has ${size} bytes, more than ${MOST_BYTES}`);
  process.exit(1);
}
