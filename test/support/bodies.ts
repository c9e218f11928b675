// A valid body for each POST route with one, and ways to make it invalid.
import { expect } from "vitest";
import { type Answer, problemIn } from "./send.ts";

export const RECEIPT = {
  answerId: "ans_from_elsewhere",
  agentId: "assistant",
  usedMemories: [{ namespace: "diet", snippet: "Fish.", storeRef: "blob-1", authorized: true, verified: false }],
  blockedNamespaces: ["health"],
  createdAt: "2026-05-01T10:00:00Z",
};

export const GOOD_BODIES = {
  "/api/chat": { agentId: "assistant", query: "What is for dinner?" },
  "/api/companion": { query: "What is for dinner?" },
  "/api/recall": { agentId: "assistant", query: "What is for dinner?", limit: 3, receipt: false },
  "/api/conversations": {
    agentId: "assistant",
    messages: [{ role: "user", content: "I like fish.", at: "2026-05-01T10:00:00Z" }],
    namespaces: ["diet"],
  },
  "/api/memories": { namespace: "diet", content: "Fish on Fridays.", sourceAgent: "assistant" },
  "/api/policy": { agentId: "assistant", namespace: "diet", allowed: true },
  "/api/policy/batch": {
    rules: [
      { agentId: "planner", namespace: "diet", allowed: true },
      { agentId: "assistant", namespace: "diet", allowed: true },
    ],
  },
  "/api/anchor": { receipt: RECEIPT },
  "/api/anchor-chain": { receipt: RECEIPT, claimNamespaces: ["diet"] },
} as const;

type Path = keyof typeof GOOD_BODIES;

/** A field of a route's body, by its JSON pointer. */
export type Field = readonly [path: Path, pointer: string];

export const NAMES: readonly Field[] = [
  ["/api/chat", "/agentId"],
  ["/api/recall", "/agentId"],
  ["/api/conversations", "/agentId"],
  ["/api/memories", "/namespace"],
  ["/api/memories", "/sourceAgent"],
  ["/api/policy", "/agentId"],
  ["/api/policy", "/namespace"],
  ["/api/policy/batch", "/rules/1/agentId"],
  ["/api/policy/batch", "/rules/1/namespace"],
  ["/api/anchor", "/receipt/agentId"],
  ["/api/anchor", "/receipt/usedMemories/0/namespace"],
  ["/api/anchor", "/receipt/blockedNamespaces/0"],
  ["/api/anchor-chain", "/receipt/agentId"],
  ["/api/anchor-chain", "/claimNamespaces/0"],
];

export const TEXTS: readonly (readonly [...Field, limit: number])[] = [
  ["/api/chat", "/query", 4_000],
  ["/api/companion", "/query", 4_000],
  ["/api/recall", "/query", 4_000],
  ["/api/conversations", "/messages/0/content", 8_000],
  ["/api/memories", "/content", 8_000],
];

/** Null removes the rule. */
export const RULES: readonly Field[] = [
  ["/api/policy", "/allowed"],
  ["/api/policy/batch", "/rules/1/allowed"],
];

export const FLAGS: readonly Field[] = [
  ["/api/anchor", "/receipt/usedMemories/0/authorized"],
  ["/api/anchor", "/receipt/usedMemories/0/verified"],
];

/** The strings of a receipt that are neither names nor texts. */
export const RECEIPT_STRINGS: readonly Field[] = [
  ["/api/anchor", "/receipt/answerId"],
  ["/api/anchor", "/receipt/createdAt"],
  ["/api/anchor", "/receipt/usedMemories/0/snippet"],
  ["/api/anchor", "/receipt/usedMemories/0/storeRef"],
];

export const LISTS: readonly Field[] = [
  ["/api/policy/batch", "/rules"],
  ["/api/anchor", "/receipt/usedMemories"],
  ["/api/anchor", "/receipt/blockedNamespaces"],
];

/** The route's good body with another value at the pointer; `undefined` leaves the field out. */
export function spoiled([path, pointer]: Field, value: unknown): unknown {
  const body = structuredClone(GOOD_BODIES[path]) as unknown as Record<string, unknown>;
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  const parent = steps.reduce((node, step) => node[step] as Record<string, unknown>, body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return body;
}

/** Expects a problem with this status and code; with `pointer`, one that points to this field. */
export function expectProblem(answer: Answer, status: number, code: string, pointer?: string): void {
  expect(answer.headers["content-type"], answer.text).toBe("application/problem+json");
  const problem = problemIn(answer);
  expect(problem).toMatchObject({
    type: `urn:portcullis:problem:${code}`,
    title: expect.stringMatching(/./),
    status,
    code,
    detail: expect.stringMatching(/./),
    requestId: answer.headers["x-request-id"],
  });
  expect(answer.status).toBe(status);
  if (pointer === undefined) return;
  expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer);
  expect(problem.errors?.every(({ detail }) => detail.length > 0)).toBe(true);
}
