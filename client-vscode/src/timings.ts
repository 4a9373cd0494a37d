/** How long what we do on the extension host takes: it is shared with every other extension. */

export interface Call {
  name: string;
  /** Milliseconds without a pause. */
  ms: number;
}

export class Timings {
  /** From the begin of `activate` to the first finding that is shown, in milliseconds. */
  firstDiagnosticMs: number | undefined;
  /** The call of ours that blocked the extension host the longest. */
  longest: Call = { name: "none", ms: 0 };
  /** Milestones after the begin of `activate`, in milliseconds. */
  readonly milestones: Record<string, number> = {};
  private readonly begin = performance.now();

  /** Run something that does not wait, and remember how long it took. */
  measure<T>(name: string, call: () => T): T {
    const begin = performance.now();
    try {
      return call();
    } finally {
      const ms = performance.now() - begin;
      if (ms > this.longest.ms) {
        this.longest = { name, ms };
      }
    }
  }

  /** Note that something was reached; the first time counts. */
  reached(name: string): void {
    this.milestones[name] ??= performance.now() - this.begin;
  }

  /** Note that findings are shown; the first time counts. */
  diagnosticsShown(): void {
    this.firstDiagnosticMs ??= performance.now() - this.begin;
  }
}
