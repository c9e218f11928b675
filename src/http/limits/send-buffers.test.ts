import fc from "fast-check";
import { expect, test } from "vitest";
import { createSendBuffers } from "./send-buffers.ts";

/** Replies of callers, of which some were cut. */
function repliesOn(buffers: ReturnType<typeof createSendBuffers>) {
  const cut: string[] = [];
  return { cut, open: (caller: string, name = caller) => buffers.open(caller, () => void cut.push(name)) };
}

test("a caller at its own bound is refused, others are not, and it has room again when a reply has ended", () => {
  const { open, cut } = repliesOn(createSendBuffers({ ofCaller: 10, ofAll: 100 }));
  const first = open("a");
  first.reserve(6);
  expect(() => open("a").reserve(5)).toThrow(expect.objectContaining({ code: "too-many-requests" }));
  open("b").reserve(5);
  first.close();
  open("a").reserve(5);
  expect(cut).toEqual([]);
});

test("a caller who was refused is refused before anything is read, until some of what it holds was taken", () => {
  const buffers = createSendBuffers({ ofCaller: 10, ofAll: 100 });
  const { open } = repliesOn(buffers);
  const first = open("a");
  first.reserve(6);
  buffers.check("a");
  expect(() => open("a").reserve(5)).toThrow();
  expect(() => buffers.check("a")).toThrow(expect.objectContaining({ code: "too-many-requests" }));
  buffers.check("b");
  open("a").reserve(1);
  expect(() => buffers.check("a")).toThrow();
  first.close();
  buffers.check("a");
});

test("a caller who was refused because all is full is refused until anybody's reply has ended", () => {
  const buffers = createSendBuffers({ ofCaller: 10, ofAll: 10 });
  const { open } = repliesOn(buffers);
  const first = open("a");
  first.reserve(5);
  open("b").reserve(5);
  expect(() => open("b").reserve(1)).toThrow(expect.objectContaining({ code: "overloaded" }));
  expect(() => buffers.check("b")).toThrow(expect.objectContaining({ code: "overloaded" }));
  buffers.check("a");
  first.close();
  buffers.check("b");
});

test("when all is full, the caller who holds the most loses the reply that has waited longest", () => {
  const buffers = createSendBuffers({ ofCaller: 10, ofAll: 12 });
  const { open, cut } = repliesOn(buffers);
  for (const name of ["reads", "waits", "waits less"]) {
    const reply = open("a", name);
    reply.reserve(3);
    reply.waits(3);
    if (name === "reads") reply.taken();
  }
  open("b").reserve(3);
  open("c").reserve(3);
  expect(cut).toEqual(["waits"]);
  expect(buffers.bytes()).toBe(12);
});

test("when nobody holds more than the newcomer would, the newcomer is refused, and nobody is cut", () => {
  const { open, cut } = repliesOn(createSendBuffers({ ofCaller: 10, ofAll: 4 }));
  for (const caller of ["a", "b"]) {
    const reply = open(caller);
    reply.reserve(2);
    reply.waits(2);
  }
  expect(() => open("c").reserve(2)).toThrow(expect.objectContaining({ code: "overloaded" }));
  expect(cut).toEqual([]);
});

test("what has begun is never refused: it counts, and who holds the most makes room", () => {
  const buffers = createSendBuffers({ ofCaller: 4, ofAll: 10 });
  const { open, cut } = repliesOn(buffers);
  for (let i = 0; i < 5; i++) open("a", `a${i}`).waits(3);
  expect(cut).toEqual(["a0", "a1"]);
  expect(buffers.bytes()).toBe(9);
  expect(() => open("a").reserve(1)).toThrow(expect.objectContaining({ code: "too-many-requests" }));
});

test("what waits is cut for what has begun, also when the caller who holds the most reads", () => {
  const buffers = createSendBuffers({ ofCaller: 10, ofAll: 10 });
  const { open, cut } = repliesOn(buffers);
  open("reads").reserve(6);
  open("waits").waits(4);
  open("begun").waits(3);
  expect(cut).toEqual(["waits"]);
});

test("while more is held than the bound, one reply waits at most, and nothing is held in the end", () => {
  const step = fc.record({
    caller: fc.constantFrom("a", "b", "c"),
    does: fc.constantFrom("reserve" as const, "waits" as const, "taken" as const, "close" as const),
    bytes: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const buffers = createSendBuffers({ ofCaller: 20, ofAll: 30 });
      const replies = new Map<string, ReturnType<typeof buffers.open>[]>();
      const waiting = new Set<unknown>();
      for (const { caller, does, bytes } of steps) {
        const own = replies.get(caller) ?? [];
        replies.set(caller, own);
        if (does === "taken" || does === "close") {
          const reply = does === "close" ? own.pop() : own.at(-1);
          waiting.delete(reply);
          reply?.[does]();
        } else {
          const reply = buffers.open(caller, () => {
            waiting.delete(reply);
            own.splice(own.indexOf(reply), 1);
          });
          own.push(reply);
          if (does === "waits") waiting.add(reply);
          try {
            reply[does](bytes);
          } catch (error) {
            own.splice(own.indexOf(reply), 1);
            expect(error).toMatchObject({ code: expect.stringMatching(/^(too-many-requests|overloaded)$/) });
          }
        }
        // Those that read are not cut for one who cannot be refused.
        if (waiting.size > 1) expect(buffers.bytes()).toBeLessThanOrEqual(30);
      }
      for (const own of replies.values()) for (const reply of own.splice(0)) reply.close();
      expect(buffers.bytes()).toBe(0);
    }),
  );
});
