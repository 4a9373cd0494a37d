/** How long what we do on the extension host takes: it is shared with every other extension. */

export interface Call {
  name: string;
  /** Milliseconds without a pause. */
  ms: number;
}

export class Timings {
  /** From the begin of `activate` to the first finding that is shown, in milliseconds. */
  firstDiagnosticMs: number | undefined;
  /** How long each of our calls blocked the extension host at most, in milliseconds. */
  readonly calls: Record<string, number> = {};
  /** Milestones after the begin of `activate`, in milliseconds. */
  readonly milestones: Record<string, number> = {};
  private readonly begin = performance.now();

  /** The call of ours that blocked the extension host the longest. */
  get longest(): Call {
    const calls = Object.entries(this.calls).map(([name, ms]) => ({ name, ms }));
    return calls.reduce((one, other) => (other.ms > one.ms ? other : one), { name: "none", ms: 0 });
  }

  /** Run something that does not wait, and remember how long it took. */
  measure<T>(name: string, call: () => T): T {
    const begin = performance.now();
    try {
      return call();
    } finally {
      this.note(name, performance.now() - begin);
    }
  }

  /** Load a module, and remember how long that took: reading and running it does not pause. */
  async load<T>(name: string, load: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const loaded = await load();
    this.note(name, performance.now() - begin);
    return loaded;
  }

  /** Note that something was reached; the first time counts. */
  reached(name: string): void {
    this.milestones[name] ??= performance.now() - this.begin;
  }

  /** Note that findings are shown; the first time counts. */
  diagnosticsShown(): void {
    this.firstDiagnosticMs ??= performance.now() - this.begin;
  }

  private note(name: string, ms: number): void {
    this.calls[name] = Math.max(this.calls[name] ?? 0, ms);
  }
}
