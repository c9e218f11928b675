import { describe, expect, test } from "vitest";
import { createKeyEndHold } from "./commit-batch.ts";

const end = (n: number) => ({ kind: "end", publicKey: Uint8Array.of(n) }) as const;
const add = (n: number) => ({ kind: "add", publicKey: Uint8Array.of(n) }) as const;
type Keys = ReturnType<typeof end | typeof add>[];
const due = (...keys: Keys) => ({
  sent: { greatest: 0, moves: [] },
  unsent: { versions: [], isAll: true },
  keys,
});
const pending = (...ids: number[]) => ids.map((id) => ({ id }));

describe("the end of a key", () => {
  test("waits for the requests that were pending when it became due, and for no later ones", () => {
    const hold = createKeyEndHold();
    expect(hold(due(end(1)), pending(1, 2))).toMatchObject({ keys: [], isHeld: true });
    expect(hold(due(end(1)), pending(2, 3))).toMatchObject({ keys: [], isHeld: true });
    expect(hold(due(end(1)), pending(3))).toEqual(due(end(1)));
  });

  test("of a second key waits for what was pending when that one became due", () => {
    const hold = createKeyEndHold();
    hold(due(end(1)), pending(1));
    // Request 2 came after the end of the first key, and before that of the second.
    expect(hold(due(end(1), end(2)), pending(1, 2))).toMatchObject({ keys: [], isHeld: true });
    expect(hold(due(end(1), end(2)), pending(2))).toMatchObject({ keys: [end(1)], isHeld: true });
    expect(hold(due(end(2)), pending(2, 3))).toMatchObject({ keys: [], isHeld: true });
    expect(hold(due(end(2)), pending(3))).toEqual(due(end(2)));
  });

  test("holds back no key that is added", () => {
    expect(createKeyEndHold()(due(add(2), end(1)), pending(1))).toMatchObject({ keys: [add(2)], isHeld: true });
  });

  test("that is due again begins anew", () => {
    const hold = createKeyEndHold();
    hold(due(end(1)), pending());
    hold(due(), pending());
    expect(hold(due(end(1)), pending(5))).toMatchObject({ keys: [], isHeld: true });
  });
});
