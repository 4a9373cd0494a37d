/** The extension's own environment: benchlint from the wheel that the extension brings along. */

import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { NO_PYTHON, NO_WHEEL, SetupFailure, noVenv, oldPython, pipFailure, venvFailure } from "./failures";
import { type Python, probe } from "./interpreter";
import { isProgram, onPath } from "./paths";
import { run } from "./run";

const NAMES = ["python3.13", "python3.12", "python3.11", "python3", "python"];
const MARK = "benchlint.json";
const VENV_TIMEOUT_MS = 120_000;
const PIP_TIMEOUT_MS = 600_000;

interface Mark {
  /** The digest of the wheel that is installed. */
  wheel: string;
  llm: boolean;
}

export interface Setup {
  /** Pythons to try first: the chosen one. */
  pythons: readonly string[];
  llm: boolean;
  signal: AbortSignal;
  /** Gets a few words about what goes on. */
  progress: (message: string) => void;
  /** Only what the user's PATH has, for tests. */
  searchPath?: string;
}

export class OwnEnvironment {
  private readonly folder: string;

  constructor(
    private readonly storage: string,
    private readonly bundled: string,
  ) {
    this.folder = path.join(storage, "environment");
  }

  /** Return its interpreter, where it was made. */
  async python(): Promise<string | undefined> {
    const file = interpreterOf(this.folder);
    return (await isProgram(file)) && (await this.mark()) !== undefined ? file : undefined;
  }

  /** Say whether it holds another benchlint than the extension brings along. */
  async isStale(): Promise<boolean> {
    const mark = await this.mark();
    const wheel = await this.wheel();
    return mark !== undefined && wheel !== undefined && mark.wheel !== (await digest(wheel));
  }

  /** Say whether models can be asked from it. */
  async hasLlm(): Promise<boolean> {
    return (await this.mark())?.llm === true;
  }

  /** Make it anew. What was there stays until the new one is whole; throws a SetupFailure. */
  async setUp(setup: Setup): Promise<void> {
    const wheel = await this.wheel();
    if (wheel === undefined) {
      throw new SetupFailure("no-wheel", NO_WHEEL);
    }
    await mkdir(this.storage, { recursive: true });
    setup.progress("looking for Python");
    const base = await this.base(setup);
    const fresh = path.join(this.storage, `environment-${randomUUID()}`);
    try {
      setup.progress("making an environment");
      const made = await run(base.command, [...base.args, "-I", "-m", "venv", fresh], {
        timeoutMs: VENV_TIMEOUT_MS,
        cwd: this.storage,
        signal: setup.signal,
      });
      if (made.code !== 0) {
        throw venvFailure(base.command, made);
      }
      await this.install(interpreterOf(fresh), wheel, setup);
      const mark: Mark = { wheel: await digest(wheel), llm: setup.llm };
      await writeFile(path.join(fresh, MARK), JSON.stringify(mark));
      await this.remove();
      await rename(fresh, this.folder);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }

  /** Take it away. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async install(python: string, wheel: string, setup: Setup): Promise<void> {
    setup.progress(setup.llm ? "installing benchlint and litellm" : "installing benchlint");
    const options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2"];
    const installed = await run(python, ["-I", "-m", "pip", "install", ...options, setup.llm ? `${wheel}[llm]` : wheel], {
      timeoutMs: PIP_TIMEOUT_MS,
      cwd: this.storage,
      signal: setup.signal,
      onLine: (line) => {
        const package_ = /^Collecting ([\w.-]+)/.exec(line)?.[1];
        if (package_ !== undefined) {
          setup.progress(`fetching ${package_}`);
        } else if (line.startsWith("Installing collected packages")) {
          setup.progress("installing");
        }
      },
    });
    if (installed.code !== 0) {
      throw pipFailure(installed);
    }
  }

  /** Return a Python that can make environments. */
  private async base(setup: Setup): Promise<Python> {
    const named = setup.pythons.map((command) => ({ command, args: [] }));
    const old: string[] = [];
    const without: string[] = [];
    const broken: string[] = [];
    for (const python of [...named, ...(await pythonsOnPath(setup.searchPath))]) {
      const found = await probe(python, this.storage, setup.signal);
      if (setup.signal.aborted) {
        throw new SetupFailure("cancelled", "Setting up was cancelled.");
      }
      if (found.kind === "usable" && found.venv) {
        return { command: found.executable, args: [] };
      }
      if (found.kind === "usable") {
        without.push(found.executable);
      } else if (found.kind === "old") {
        old.push(found.version);
      } else if (found.kind === "broken") {
        broken.push(`${python.command}: ${found.why}`);
      }
    }
    if (without[0] !== undefined) {
      throw noVenv(without[0]);
    }
    throw old.length > 0 ? oldPython(old) : new SetupFailure("no-python", NO_PYTHON, broken.join("\n"));
  }

  private async mark(): Promise<Mark | undefined> {
    try {
      return JSON.parse(await readFile(path.join(this.folder, MARK), "utf8")) as Mark;
    } catch {
      return undefined;
    }
  }

  private async wheel(): Promise<string | undefined> {
    const names = await readdir(this.bundled).catch(() => []);
    const name = names.find((item) => item.endsWith(".whl"));
    return name === undefined ? undefined : path.join(this.bundled, name);
  }
}

async function pythonsOnPath(searchPath: string | undefined): Promise<Python[]> {
  const files = (await Promise.all(NAMES.map((name) => onPath(name, searchPath)))).flat();
  const pythons: Python[] = files.map((command) => ({ command, args: [] }));
  if (process.platform === "win32") {
    pythons.unshift(...(await onPath("py", searchPath)).map((command) => ({ command, args: ["-3"] })));
  }
  return pythons;
}

function interpreterOf(folder: string): string {
  return process.platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

async function digest(file: string): Promise<string> {
  return createHash("sha256").update(await readFile(file)).digest("hex");
}
