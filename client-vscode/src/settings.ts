/** The settings of the editor, and what of them goes to the server. */

import { expand } from "./server/paths";

/** What reads a setting: `vscode.WorkspaceConfiguration`, or a table in tests. */
export interface Reader {
  get(name: string): unknown;
}

export interface Settings {
  enable: boolean;
  paths: string[];
  interpreters: string[];
  useBundled: boolean;
  models: string[];
  logFile: string | undefined;
}

/** Settings that say which server runs, and how it is started. */
export const CHOOSES_SERVER = ["enable", "path", "interpreter", "importStrategy", "logFile"];

/** Read what the client itself needs. */
export function readSettings(reader: Reader): Settings {
  return {
    enable: reader.get("enable") !== false,
    paths: texts(reader.get("path")),
    interpreters: texts(reader.get("interpreter")),
    useBundled: reader.get("importStrategy") === "useBundled",
    models: texts(reader.get("judge.models")),
    logFile: text(reader.get("logFile")),
  };
}

/** Return the section `benchlint` as the server is told it: without what is left at its default of saying nothing. */
export function serverSettings(reader: Reader, folder: string | undefined): Record<string, unknown> {
  const configuration = text(reader.get("configuration"));
  return without({
    select: some(texts(reader.get("select"))),
    ignore: some(texts(reader.get("ignore"))),
    minSeverity: reader.get("minSeverity"),
    configuration: configuration && expand(configuration, folder),
    maxDiagnostics: reader.get("maxDiagnostics"),
    judge: without({
      models: some(texts(reader.get("judge.models"))),
      when: reader.get("judge.when"),
      maxUsd: reader.get("judge.maxUsd"),
      maxCalls: reader.get("judge.maxCalls"),
    }),
  });
}

/** Say whether models are named that need litellm. */
export function namesModels(models: readonly string[]): boolean {
  return models.some((model) => !["offline", "cached", "none"].includes(model));
}

function texts(value: unknown): string[] {
  const items: unknown[] = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
  return items.filter((item): item is string => typeof item === "string" && item.trim() !== "");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function some(items: string[]): string[] | undefined {
  return items.length > 0 ? items : undefined;
}

function without(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}
