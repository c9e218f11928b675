// Shows and changes the policy.
import { readFile } from "node:fs/promises";
import { type Invocation, type Runs, textArgument, UsageError } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { type Cell, table, whole } from "#cli/terminal/table.ts";
import type { Body } from "#contract/routes.ts";
import { MOST_RULES } from "#contract/schemas/resources.ts";
import { orUndefined } from "#core/defined.ts";
import { policyFrom, rulesOf } from "#core/gate/policy.ts";

type Rules = Body<"setAccessBatch">["rules"];

export const runs: Runs<"policy" | "policy allow" | "policy revoke" | "policy remove" | "policy apply"> = {
  async policy(invocation) {
    const { values, out, say, json } = invocation;
    const { client } = await openClient(invocation);
    const { policy, version } = await client.getPolicy();
    const rules = rulesOf(policy).filter(
      ({ agentId, namespace }) =>
        (values.agent === undefined || agentId === values.agent) &&
        (values.namespace === undefined || namespace === values.namespace),
    );
    if (values.json) return json({ policy: policyFrom(rules), version });
    const rows = rules.map(({ agentId, namespace, allowed }): Cell[] => [
      agentId,
      namespace,
      allowed ? { text: "allowed", tone: "good" } : { text: "revoked", tone: "bad" },
    ]);
    await table(out, COLUMNS).add(rows);
    await say(`Policy version ${version}. What is not listed is closed.`);
  },

  "policy allow": (invocation) => setAccess(invocation, true, invocation.wanted),
  "policy revoke": (invocation) => setAccess(invocation, false),
  "policy remove": (invocation) => setAccess(invocation, null),

  // Sends the rules of a file, as many a request as one takes.
  async "policy apply"(invocation) {
    const { positionals, wanted, say, tell } = invocation;
    const [path] = positionals;
    const rules = rulesIn(await (path === undefined ? textArgument(invocation, "file") : readFile(path, "utf8")));
    if (rules.length === 0) throw new UsageError("There are no rules in it.");
    const { client } = await openClient(invocation);
    let version = 0;
    for (let done = 0; done < rules.length; done += MOST_RULES) {
      const body = { ...wanted, rules: rules.slice(done, done + MOST_RULES) };
      try {
        ({ version } = await client.setAccessBatch(body, { prefer: "minimal" }));
      } catch (error) {
        if (done > 0) await say(`The first ${done} rules are set. Those after them are counted from 0:`);
        throw error;
      }
    }
    const count = rules.length === 1 ? "1 rule is" : `${rules.length} rules are`;
    return tell({ rules: rules.length, version }, { print: `${count} set. Policy version ${version}.` });
  },
};

/** What `policy --json` prints, or the body of the request, or one rule a line. The service says what is wrong with a rule. */
function rulesIn(text: string): Rules {
  const { policy, rules } = (parsed(text) ?? {}) as { readonly policy?: object | null; readonly rules?: Rules };
  if (Array.isArray(rules)) return rules;
  if (policy) return Object.entries(policy).flatMap(([agentId, row]) => rulesOfAgent(agentId, row));
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const rule = parsed(line);
    if (rule === undefined) throw new UsageError(`Line ${i + 1} is not valid JSON.`);
    return [rule as Rules[number]];
  });
}

function rulesOfAgent(agentId: string, row: unknown): Rules {
  if (typeof row !== "object" || row === null)
    throw new UsageError("Each agent of a policy has an object of namespaces.");
  return Object.entries(row).map(([namespace, allowed]) => ({ agentId, namespace, allowed }));
}

const parsed = (text: string): unknown => orUndefined(() => JSON.parse(text));

const COLUMNS = ["AGENT", "NAMESPACE", whole("ACCESS")];

const SENTENCES = {
  true: (agentId: string, namespace: string) => `${agentId} may use ${namespace} now.`,
  false: (agentId: string, namespace: string) => `${namespace} is closed to ${agentId} now.`,
  null: (agentId: string, namespace: string) => `There is no rule for ${agentId} and ${namespace} now: it is closed.`,
};

async function setAccess(
  invocation: Invocation<"policy allow" | "policy revoke" | "policy remove">,
  allowed: boolean | null,
  more: { readonly allowConfusable?: boolean } = {},
): Promise<undefined> {
  const [agentId = "", namespace = ""] = invocation.positionals;
  const { client } = await openClient(invocation);
  const rule = { agentId, namespace, allowed };
  const { version } = await client.setAccess({ ...rule, ...more }, { prefer: "minimal" });
  const print = `${SENTENCES[`${allowed}`](agentId, namespace)} Policy version ${version}.`;
  return invocation.tell({ ...rule, version }, { print });
}
