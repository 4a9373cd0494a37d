/** What is done one after another. */

export class Steps {
  private last: Promise<void> = Promise.resolve();
  private planned: Promise<void> | undefined;

  /** Run a step when those before it have ended, well or not. */
  add(step: () => Promise<void>): Promise<void> {
    const next = this.last.then(step);
    this.last = next.catch(() => undefined);
    return next;
  }

  /** Run a step some milliseconds after its turn has come; whoever asks for one until then gets the same. */
  once(step: () => Promise<void>, waitMs: number): Promise<void> {
    this.planned ??= this.add(async () => {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      this.planned = undefined;
      await step();
    });
    return this.planned;
  }

  /** Wait until all that was asked for so far has ended. */
  settled(): Promise<void> {
    return this.last;
  }
}
