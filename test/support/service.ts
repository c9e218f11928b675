// The real service for one test, and what tests of it share.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type Service, type ServiceOptions, startService } from "./start-service.ts";

export { type Service, type ServiceOptions, startService } from "./start-service.ts";

/** A service for one test, stopped when the test ends. */
export async function serviceForTest(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** One service for all tests of a file or a group, which change nothing in it. They call the function to get it. */
export function sharedService(options?: ServiceOptions): () => Service {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await startService(options);
  });
  afterAll(() => service?.stop());
  return () => {
    if (service === undefined) throw new Error("The service starts before the first test.");
    return service;
  };
}

/** A new directory for one test, removed when the test ends. */
export async function directoryForTest(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "portcullis-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs the action, and expects that it changes no memory, no policy and no anchor. */
export async function changingNothing<T>(service: Service, action: () => Promise<T>): Promise<T> {
  const before = await stateOf(service);
  const result = await action();
  expect(await stateOf(service)).toEqual(before);
  return result;
}

/** Of the records themselves: to ask for it over HTTP takes most of the time of a test that expects a refusal. */
async function stateOf({ tenant: { records } }: Service) {
  return {
    memories: await records.memories.page({ limit: 1_000 }),
    policy: await records.policy.current(),
    changes: await records.policy.changes({ limit: 1_000 }),
    anchors: await records.anchors.page({ limit: 1_000 }),
  };
}
