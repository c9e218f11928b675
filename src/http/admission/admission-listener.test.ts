import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createAdmission } from "./admission.ts";
import { admissionListener } from "./admission-listener.ts";

const TURNS = 10;
/** Longer than a report takes in a quick loop. */
const TURN_MS = 60;

test("a slow event loop is reported in each of its turns: it needs an answer sooner than a quick one", async () => {
  let [reports, isSlow] = [0, false];
  const admission = {
    ...createAdmission(),
    observe: () => {
      if (isSlow) reports += 1;
    },
  };
  const begun = Promise.withResolvers<Parameters<RequestListener>[1]>();
  const { listener } = admissionListener((_, response) => begun.resolve(response), { admission });
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const answered = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/memories`);
  const response = await begun.promise;
  isSlow = true;
  for (let i = 0; i < TURNS; i++) {
    const ends = performance.now() + TURN_MS;
    while (performance.now() < ends);
    await nextTurn();
  }
  response.end();
  await answered;
  expect(reports).toBeGreaterThan(TURNS / 2);
});
