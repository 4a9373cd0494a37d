// Bundles the extension into dist; with --tests or --unit, its tests into out.
import { build } from "esbuild";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";

const here = path.dirname(import.meta.dirname);
const server = path.join(here, "..", "server", "benchlint");
const common = {
  absWorkingDir: here,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  logLevel: "warning",
};

async function extension() {
  await rm(path.join(here, "dist"), { recursive: true, force: true });
  const shipped = { ...common, outdir: "dist", minify: true, legalComments: "none", supported: { "dynamic-import": false } };
  await build({ ...shipped, entryPoints: ["src/extension.ts"], external: ["vscode", "./client"] });
  await build({ ...shipped, entryPoints: ["src/client.ts"], external: ["vscode"] });
  const schemas = path.join(here, "dist", "schemas");
  await mkdir(schemas, { recursive: true });
  await copyFile(path.join(server, "benchmark", "formats", "native.schema.json"), path.join(schemas, "native.schema.json"));
  await copyFile(path.join(server, "config.schema.json"), path.join(schemas, "config.schema.json"));
}

async function tests(folder, outdir, external) {
  const files = (await readdir(path.join(here, folder))).filter((name) => name.endsWith(".ts"));
  await rm(path.join(here, outdir), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: files.map((name) => path.join(folder, name)),
    outdir,
    external,
    sourcemap: "inline",
  });
}

if (process.argv.includes("--tests")) {
  await tests("src/test", "out/test", ["vscode", "mocha"]);
} else if (process.argv.includes("--unit")) {
  await tests("src/unit", "out/unit", ["vscode"]);
} else {
  await extension();
}
