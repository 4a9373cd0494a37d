/** Paths that settings name. */

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Replace `${workspaceFolder}`, `${userHome}`, `${env:NAME}` and a leading `~`. */
export function expand(text: string, folder: string | undefined): string {
  const home = os.homedir();
  return text
    .replace(/^~(?=$|[\\/])/, home)
    .replace(/\$\{(workspaceFolder|userHome|env:([^}]+))\}/g, (whole, name: string, variable?: string) => {
      if (name === "userHome") {
        return home;
      }
      return (variable === undefined ? folder : (process.env[variable] ?? "")) ?? whole;
    });
}

/** Return a path without links, as far as it exists. */
async function real(file: string): Promise<string> {
  return realpath(file).catch(() => path.resolve(file));
}

/** Say whether a file lies in one of some folders; links do not help it out of them. */
export async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  // An interpreter of an environment is a link to one outside: where the link lies counts too.
  const spellings = [path.resolve(file), await real(file), path.join(await real(path.dirname(file)), path.basename(file))];
  for (const folder of folders) {
    const within = [path.resolve(folder), await real(folder)];
    if (spellings.some((spelling) => within.some((base) => !path.relative(base, spelling).startsWith("..") && !path.isAbsolute(path.relative(base, spelling))))) {
      return true;
    }
  }
  return false;
}

/** Say whether a file is a program. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Return the programs of a name on the PATH. Relative entries would mean the working folder and are left out. */
export async function onPath(name: string, variable: string = process.env.PATH ?? ""): Promise<string[]> {
  const suffixes = process.platform === "win32" ? [".exe", ".bat", ".cmd"] : [""];
  const folders = variable.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const files = folders.flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix)));
  const programs = await Promise.all(files.map(isProgram));
  return files.filter((_, index) => programs[index]);
}
