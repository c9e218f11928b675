import { PortcullisError } from "#core/errors.ts";

/**
 * How long others wait for an action behind the fence before its signal aborts: a change of the policy, or actions that
 * find every place taken. An action takes about a millisecond, unless it writes to a client that does not read.
 */
export const FENCE_PATIENCE_MS = 100;

export const policyAwaits = () =>
  new PortcullisError("policy-changed", "The policy is about to change, and this took too long to send. Ask again.");

export const othersAwait = () =>
  new PortcullisError("overloaded", "This took too long to send while others waited. Ask again in a moment.");
