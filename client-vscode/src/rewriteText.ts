/** Edits of the protocol, applied to a text. */

export interface Edit {
  range: { start: Position; end: Position };
  newText: string;
}

export interface Position {
  line: number;
  character: number;
}

/** What the server asks to be shown: `benchlint.previewRewrite`. */
export interface Rewrite {
  uri: string;
  /** The version of the text that the edits were made for. */
  version?: number | null;
  edits: [Edit, ...Edit[]];
  title: string;
  task?: string;
}

/** Return what is wrong with a rewrite, from wherever it came. */
export function isRewrite(value: unknown): value is Rewrite {
  const rewrite = value as Partial<Rewrite> | undefined;
  return (
    typeof rewrite === "object" &&
    typeof rewrite.uri === "string" &&
    typeof rewrite.title === "string" &&
    Array.isArray(rewrite.edits) &&
    rewrite.edits.length > 0
  );
}

/** Say whether an edit stands before another. */
export function isBefore({ range: one }: Edit, { range: other }: Edit): boolean {
  return one.start.line < other.start.line || (one.start.line === other.start.line && one.start.character < other.start.character);
}

/** Apply edits that do not overlap; `offsetAt` tells where a position is in the text. */
export function applyEdits(text: string, edits: readonly Edit[], offsetAt: (position: Position) => number): string {
  const placed = edits
    .map(({ range, newText }) => ({ start: offsetAt(range.start), end: offsetAt(range.end), newText }))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  let result = "";
  let at = 0;
  for (const { start, end, newText } of placed) {
    if (start < at) {
      throw new RangeError("two edits overlap");
    }
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}
