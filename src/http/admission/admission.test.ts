import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { inTenant } from "#async/semaphore.ts";
import { type Admission, createAdmission } from "./admission.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const QUICK = { delayMs: 0, utilization: 0.5 };
const SLOW = { delayMs: 50, utilization: 1 };
const LINE = 3;

let clock: number;
beforeEach(() => {
  clock = 0;
});

function admissionOf(requests: number, options: Parameters<typeof createAdmission>[0] = {}): Admission {
  const aim = { least: requests, targetMs: 5, turnMs: 5, sharedTurnMs: 2 };
  const limit = createConcurrencyLimit({ calm: aim, overloaded: aim, initial: requests, most: requests });
  const turns: (() => void)[] = [];
  const admission = createAdmission({
    limit,
    now: () => clock,
    longLine: LINE,
    refusalsASecond: Number.POSITIVE_INFINITY,
    isShared: () => false,
    nextTurn: (callback) => void turns.push(callback),
    whenAllWait: (callback) => void turns.push(callback),
    ...options,
  });
  /** The turns of the event loop that follow. */
  const after = <A extends unknown[]>(act: (...args: A) => void) => {
    return (...args: A) => {
      act(...args);
      for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn();
    };
  };
  return {
    ...admission,
    apply: after(admission.apply),
    observe: after(admission.observe),
    begin(caller) {
      const { leave, finish } = admission.begin(caller);
      return { leave: after(leave), finish: after(finish) };
    },
  };
}

/** A request that asks to be served, and what became of it. */
function request(admission: Admission, caller = "") {
  const applicant = {
    caller,
    state: "waiting",
    finish: () => undefined as unknown,
    admit() {
      applicant.state = "admitted";
      const { finish } = admission.begin(caller);
      applicant.finish = () => {
        applicant.state = "finished";
        finish();
      };
    },
    refuse() {
      applicant.state = "refused";
    },
  };
  admission.apply(applicant);
  return applicant;
}

const requests = (admission: Admission, count: number) => Array.from({ length: count }, () => request(admission));
const states = (all: readonly { state: string }[]) => all.map(({ state }) => state);
const connect = (admission: Admission, count: number) => Array.from({ length: count }, admission.connect);

describe("A caller who floods", () => {
  test("does not keep others waiting: the next is of the caller who has the fewest in flight", () => {
    const admission = admissionOf(2);
    const flood = Array.from({ length: 4 }, () => request(admission, "flood"));
    const other = request(admission, "other");
    flood[0]?.finish();
    expect([...states(flood.slice(1)), other.state]).toEqual(["admitted", "waiting", "waiting", "admitted"]);
  });

  test("is refused first when the line is full, or is cut short", () => {
    const admission = admissionOf(1);
    connect(admission, 100);
    const flood = Array.from({ length: 4 }, () => request(admission, "flood"));
    const other = request(admission, "other");
    // The line had three places, and has two since the overload.
    expect([...states(flood), other.state]).toEqual(["admitted", "waiting", "refused", "refused", "waiting"]);
    expect(request(admission, "flood").state).toBe("refused");
  });
});

test("Refusals are sent at a rate, and none waits longer than a second", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns: (() => void)[] = [];
  const nextTurn = (callback: () => void) => void turns.push(callback);
  const admission = admissionOf(1, { longLine: 0, refusalsASecond: 10, now: () => performance.now(), nextTurn });
  const flood = requests(admission, 101).slice(1);
  const refused = () => flood.filter(({ state }) => state === "refused").length;
  expect(refused()).toBe(1);
  vi.advanceTimersByTime(500);
  expect(refused()).toBe(6);
  vi.advanceTimersByTime(500);
  for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
    const before = refused();
    turn();
    // All others are due now. They leave time for those who are served.
    expect(refused() - before).toBeLessThanOrEqual(2);
  }
  expect(refused()).toBe(100);
});

test("A loop that is busy or slow without requests keeps nobody from coming to rest", () => {
  const limit = createConcurrencyLimit();
  const admission = createAdmission({ limit, now: () => clock });
  const busy = { delayMs: 50, utilization: 1 };
  admission.begin().finish();
  admission.observe(busy);
  expect(admission.isIdle()).toBe(false);
  for (let i = 0; i < 20; i++) admission.observe(busy);
  expect(admission.isIdle()).toBe(true);
});

test("In one turn of the event loop so many begin as fit in its time, and the first always does", () => {
  const turns: (() => void)[] = [];
  const admission = admissionOf(10, { nextTurn: (callback) => void turns.push(callback) });
  const [first, second] = requests(admission, 2);
  clock = 5;
  const rest = requests(admission, 3);
  expect(states([first, second, ...rest] as { state: string }[])).toEqual([
    "admitted",
    "admitted",
    "waiting",
    "waiting",
    "waiting",
  ]);
  turns.shift()?.();
  expect(states(rest)).toEqual(["admitted", "waiting", "waiting"]);
});

test("Of those in the line, too, so many begin in one turn as fit in its time", () => {
  const [turns, waits]: (() => void)[][] = [[], []];
  const admission = admissionOf(10, {
    nextTurn: (callback) => void turns?.push(callback),
    whenAllWait: (callback) => void waits?.push(callback),
  });
  request(admission);
  clock = 5;
  const line = requests(admission, 3);
  turns?.shift()?.();
  expect(states(line)).toEqual(["admitted", "waiting", "waiting"]);
  waits?.shift()?.();
  expect(states(line)).toEqual(["admitted", "admitted", "waiting"]);
  clock = 10;
  waits?.shift()?.();
  expect(states(line)).toEqual(["admitted", "admitted", "waiting"]);
});

test("While several tenants are served, fewer begin in a turn", () => {
  const turns: (() => void)[] = [];
  const nextTurn = (callback: () => void) => void turns.push(callback);
  const admission = admissionOf(10, { nextTurn, isShared: () => true });
  const [first, second] = requests(admission, 2);
  clock = 2;
  const third = request(admission);
  expect([first?.state, second?.state, third.state]).toEqual(["admitted", "admitted", "waiting"]);
  for (const turn of turns.splice(0)) turn();
  expect(third.state).toBe("admitted");
});

describe("A tenant that floods under many callers", () => {
  const flooding = (admission: Admission, count: number) =>
    Array.from({ length: count }, (_, i) => request(admission, inTenant(2, `key${i}`)));

  test("does not keep another waiting: the next is of the tenant that has the fewest in flight", () => {
    const admission = admissionOf(2);
    const flood = flooding(admission, 4);
    const other = request(admission, inTenant(3, "key"));
    flood[0]?.finish();
    expect([...states(flood.slice(1)), other.state]).toEqual(["admitted", "waiting", "waiting", "admitted"]);
  });

  test("keeps no other tenant out, while several are served, whose first request takes a place beyond the limit", () => {
    const admission = admissionOf(2, { isShared: () => true, longLine: 10 });
    const requested = [1, 1, 1, 2, 2, 3, 4].map((tenant) => request(admission, inTenant(tenant, "key")));
    // A tenant's second one waits like all, and nobody is beyond twice the limit.
    const [ofFlood, ofOthers] = [states(requested.slice(0, 3)), states(requested.slice(3))];
    expect(ofFlood).toEqual(["admitted", "admitted", "waiting"]);
    expect(ofOthers).toEqual(["admitted", "waiting", "admitted", "waiting"]);
  });

  test("gives way in a full line, also when each of its callers has one there", () => {
    const admission = admissionOf(1);
    connect(admission, 100);
    const flood = flooding(admission, 1 + LINE);
    const other = request(admission, inTenant(3, "key"));
    // The line had three places, and has two since the overload.
    expect(states(flood.slice(1)).toSorted()).toEqual(["refused", "refused", "waiting"]);
    expect(other.state).toBe("waiting");
  });

  test("is not the tenant of those who are not known yet: addresses, however many, are together as one tenant is", () => {
    const admission = admissionOf(2);
    const strangers = Array.from({ length: 2 }, (_, i) => request(admission, `192.0.2.${i}`));
    const more = request(admission, "192.0.2.9");
    const known = request(admission, inTenant(1, "key"));
    strangers[0]?.finish();
    expect([more.state, known.state]).toEqual(["waiting", "admitted"]);
  });
});

describe("A request", () => {
  test("is admitted at once while there is room", () => {
    expect(states(requests(admissionOf(2), 2))).toEqual(["admitted", "admitted"]);
  });

  test("waits while there is none, and is admitted in the order of arrival", () => {
    const [first, second, third] = requests(admissionOf(1), 3);
    expect([second?.state, third?.state]).toEqual(["waiting", "waiting"]);
    first?.finish();
    expect([second?.state, third?.state]).toEqual(["admitted", "waiting"]);
  });

  test("that leaves its place makes room among the most, and is still counted as one that computes", () => {
    const admission = admissionOf(2, { most: 1 });
    const { leave, finish } = admission.begin();
    const next = request(admission);
    expect(next.state).toBe("waiting");
    leave();
    expect(next.state).toBe("admitted");
    expect(admission.state()).toMatchObject({ inFlight: 1, counted: 2 });
    finish();
    expect(admission.state()).toMatchObject({ inFlight: 1, counted: 1 });
  });

  test("is refused at once when the line is full", () => {
    const all = requests(admissionOf(1), 1 + LINE);
    expect(states(all).slice(1)).toEqual(Array.from({ length: LINE }, () => "waiting"));
    expect(states(requests(admissionOf(1), 2 + LINE)).at(-1)).toBe("refused");
  });

  test("leaves a long line when it overflows, if it came late", () => {
    const all = states(requests(admissionOf(1, { longLine: 20 }), 22));
    expect(all.slice(0, 4)).toEqual(["admitted", "waiting", "waiting", "refused"]);
    expect(new Set(all.slice(3))).toEqual(new Set(["refused"]));
  });

  test("is refused when it has waited too long", () => {
    const admission = admissionOf(1, { longestWaitMs: 100 });
    const [, second] = requests(admission, 2);
    clock = 99;
    admission.observe(SLOW);
    expect(second?.state).toBe("waiting");
    clock = 100;
    admission.observe(SLOW);
    expect(second?.state).toBe("refused");
  });

  test("whose client goes away leaves the line", () => {
    const admission = admissionOf(1);
    const [first, second, third] = requests(admission, 3);
    if (second) admission.leave(second);
    first?.finish();
    expect([second?.state, third?.state]).toEqual(["waiting", "admitted"]);
  });
});

describe("A request that is in flight for long", () => {
  test("no longer counts while the loop is quick: it waits for something else", () => {
    const admission = admissionOf(1);
    const [first, second] = requests(admission, 2);
    clock = 300;
    admission.observe(QUICK);
    expect([first?.state, second?.state]).toEqual(["admitted", "admitted"]);
    expect(admission.state()).toMatchObject({ inFlight: 2, counted: 1 });
    first?.finish();
    second?.finish();
    expect(admission.state()).toMatchObject({ inFlight: 0, counted: 0 });
  });

  test("does not push back its caller either, behind those who flood with short ones", () => {
    const admission = admissionOf(2);
    Array.from({ length: 2 }, () => request(admission, inTenant(1, "key")));
    const flood = Array.from({ length: 2 }, () => request(admission, "192.0.2.1"));
    const own = request(admission, inTenant(1, "key"));
    clock = 300;
    admission.observe(QUICK);
    expect([...states(flood), own.state]).toEqual(["admitted", "waiting", "admitted"]);
  });

  test("counts for longer while the loop is slow: it may be what makes it so", () => {
    const admission = admissionOf(1, { longestWaitMs: 10_000 });
    const [, second] = requests(admission, 2);
    clock = 300;
    admission.observe(SLOW);
    expect(second?.state).toBe("waiting");
    clock = 2_000;
    admission.observe(SLOW);
    expect(second?.state).toBe("admitted");
  });

  test("counts towards the most that are in flight at all", () => {
    const admission = admissionOf(1, { most: 2 });
    requests(admission, 2);
    clock = 300;
    admission.observe(QUICK);
    const third = request(admission);
    clock = 600;
    admission.observe(QUICK);
    expect(third.state).toBe("waiting");
  });
});

describe("An overload", () => {
  /** More connections than the line is long. */
  function overloaded(line = 20) {
    const admission = admissionOf(1, { longLine: line });
    connect(admission, 2 * line);
    const all = requests(admission, 2 * line);
    for (const each of all) if (each.state !== "refused") each.finish();
    return admission;
  }

  test("begins when the line overflows, and then the line is short", () => {
    const admission = overloaded();
    expect(admission.state().isOverloaded).toBe(true);
    expect(states(requests(admission, 4))).toEqual(["admitted", "waiting", "waiting", "refused"]);
  });

  test("has a line as long as is served in a few milliseconds", () => {
    const admission = admissionOf(1, { longLine: 20, shortWaitMs: 5 });
    connect(admission, 40);
    requests(admission, 40);
    // 20 requests finish in 10 ms, so that 10 are served in 5 ms.
    for (let i = 0; i < 20; i++) admission.begin().finish();
    clock = 10;
    admission.observe(SLOW);
    requests(admission, 20);
    expect(admission.state().waiting).toBe(10);
  });

  test("ends when nothing was refused for a second", () => {
    const admission = overloaded();
    clock = 1_000;
    admission.observe(QUICK);
    expect(admission.state().isOverloaded).toBe(true);
    clock = 1_001;
    admission.observe(QUICK);
    expect(admission.state().isOverloaded).toBe(false);
    expect(states(requests(admission, 21)).filter((state) => state === "waiting")).toHaveLength(20);
  });

  test("ends when the long line holds all that the open connections can ask", () => {
    const admission = admissionOf(1, { longLine: 20 });
    const gone = connect(admission, 40);
    for (const each of requests(admission, 40)) if (each.state !== "refused") each.finish();
    admission.observe(QUICK);
    expect(admission.state().isOverloaded).toBe(true);
    for (const leave of gone.slice(0, 20)) leave();
    admission.observe(QUICK);
    expect(admission.state().isOverloaded).toBe(false);
  });

  test("is never begun by clients that send one request at a time and are no more than the line holds", () => {
    const line = 20;
    const admission = admissionOf(1, { longLine: line });
    connect(admission, line);
    let open = requests(admission, line);
    for (let turn = 0; turn < 1_000; turn++) {
      clock += 1;
      const served = open.find(({ state }) => state === "admitted");
      served?.finish();
      open = [...open.filter((each) => each !== served), request(admission)];
      if (turn % 50 === 0) admission.observe(SLOW);
    }
    expect(states(open)).not.toContain("refused");
  });
});

test("no request is forgotten: each is admitted or refused once, whatever happens", () => {
  const step = fc.oneof(fc.constant("apply"), fc.constant("finish"), fc.constant("quick"), fc.constant("slow"));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 4 }), (steps, room) => {
      clock = 0;
      const admission = admissionOf(room);
      const all: ReturnType<typeof request>[] = [];
      for (const what of steps) {
        clock += 40;
        if (what === "apply") all.push(request(admission));
        else if (what === "finish") all.find(({ state }) => state === "admitted")?.finish();
        else admission.observe(what === "quick" ? QUICK : SLOW);
      }
      for (let open = all; open.length > 0; open = open.filter(({ state }) => state === "admitted")) {
        for (const each of open) if (each.state === "admitted") each.finish();
      }
      expect(states(all).filter((state) => state !== "finished" && state !== "refused")).toEqual([]);
      expect(admission.state()).toMatchObject({ inFlight: 0, counted: 0, waiting: 0 });
    }),
  );
});
