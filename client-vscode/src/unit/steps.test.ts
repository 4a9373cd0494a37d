import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Steps } from "../steps";

let steps: Steps;
let done: string[];

beforeEach(() => {
  steps = new Steps();
  done = [];
});

function step(name: string): () => Promise<void> {
  return async () => {
    await Promise.resolve();
    done.push(name);
  };
}

test("a step begins when the one before it has ended, also where that one failed", async () => {
  const failing = steps.add(() => Promise.reject(new Error("no")));
  const one = steps.add(step("one"));
  const two = steps.add(step("two"));
  await assert.rejects(failing, /no/);
  await Promise.all([one, two]);
  assert.deepEqual(done, ["one", "two"]);
});

test("what is asked for several times before its turn is done once", async () => {
  const waiting = [steps.add(step("start")), steps.once(step("follow"), 0), steps.once(step("follow"), 0)];
  await Promise.all(waiting);
  assert.deepEqual(done, ["start", "follow"]);
});

test("what is asked for while it waits is done once, and what is asked for later again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const first = steps.once(step("first"), 100);
  await turn();
  context.mock.timers.tick(99);
  const second = steps.once(step("second"), 100);
  await turn();
  context.mock.timers.tick(1);
  await Promise.all([first, second]);
  assert.deepEqual(done, ["first"]);
  const third = steps.once(step("third"), 100);
  await turn();
  context.mock.timers.tick(100);
  await third;
  assert.deepEqual(done, ["first", "third"]);
});

test("what is asked for while it runs is done again", async () => {
  let again: Promise<void> | undefined;
  await steps.once(async () => {
    await step("first")();
    again = steps.once(step("second"), 0);
  }, 0);
  await again;
  assert.deepEqual(done, ["first", "second"]);
});

test("settled waits for what was asked for, the wait before it included", async () => {
  void steps.once(step("follow"), 5);
  await steps.settled();
  assert.deepEqual(done, ["follow"]);
});

/** Let promises that are settled be taken up. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
