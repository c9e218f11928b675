// What one user's tenant sees and costs beside many others: the receipt, what MCP puts into a model's context, the export,
// the reply to a change of the policy, a capture, and names that look alike.

import { createClient } from "#contract/client/client.ts";
import { MCP_PATH, TENANT_HEADER } from "#contract/paths.ts";
import { quantile } from "../../../bench/support/statistics.ts";
import { adminKeyOf } from "./first-keys.ts";
import { AGENT, markOf, NAMESPACE, QUESTION, userIdOf } from "./tenant-load.ts";

interface Options {
  readonly url: string;
  readonly operatorKey: string;
  readonly backendKey: string;
  /** The user that is looked at, by its number. The next one must appear nowhere. */
  readonly user: number;
}

interface OneOfMany {
  readonly figures: Readonly<Record<string, string>>;
  readonly violations: readonly string[];
}

const CAPTURES = 100;
/** Of a receipt. */
const MOST_RECEIPT_BYTES = 6_000;
const ANY_USER = /\bu\d{5}\b/g;

export async function lookAtOne({ url, operatorKey, backendKey, user }: Options): Promise<OneOfMany> {
  const userId = userIdOf(user);
  const violations: string[] = [];
  /** Checks that it names no other user, and gives its bytes. */
  const bytesOf = (what: string, text: string): number => {
    const others = [...text.matchAll(ANY_USER)].filter(([name]) => name !== userId);
    if (others.length > 0) violations.push(`${what} of ${userId} names others: ${others.slice(0, 3).join(", ")}`);
    return Buffer.byteLength(text);
  };
  const adminKey = await adminKeyOf(url, operatorKey, userId);
  const backend = createClient({ baseUrl: url, bearer: backendKey, tenant: userId });
  const { receipt } = await backend.chat(QUESTION);
  const receiptText = JSON.stringify(await backend.getReceipt({ answerId: receipt.answerId }));
  const receiptBytes = bytesOf("the receipt", receiptText);
  if (receiptBytes > MOST_RECEIPT_BYTES) violations.push(`a receipt has ${receiptBytes} bytes`);

  const mcp = bytesOf("what MCP gives", await recallOverMcp(url, backendKey, userId));
  const exported = await send(url, "/api/export", { authorization: `Bearer ${adminKey}` });
  const exportBytes = bytesOf("the export", exported);
  if (!exported.includes(markOf(userId))) violations.push("an export has nothing of its own user");

  const rule = JSON.stringify({ agentId: AGENT, namespace: "travel", allowed: true });
  const change = (prefer: Readonly<Record<string, string>>) =>
    send(
      url,
      "/api/policy",
      { authorization: `Bearer ${adminKey}`, "content-type": "application/json", ...prefer },
      rule,
    );
  const whole = bytesOf("the policy", await change({}));
  const minimal = bytesOf("the policy's version", await change({ prefer: "return=minimal" }));

  const admin = createClient({ baseUrl: url, bearer: adminKey });
  const captures: number[] = [];
  for (let i = 0; i < CAPTURES; i++) {
    const began = performance.now();
    await admin.capture({ namespace: NAMESPACE, content: `Something else, ${i}.`, sourceAgent: AGENT });
    captures.push(performance.now() - began);
  }
  const ms = (q: number) => quantile(captures, q).toFixed(0);
  const operator = createClient({ baseUrl: url, bearer: operatorKey });
  for (const tenantId of ["anna1", "annal"]) await operator.putTenant({ tenantId });
  return {
    figures: {
      "a receipt": `${receiptBytes} bytes, ${receipt.blockedNamespaces.length} blocked namespaces, all of this user`,
      "a recall over MCP": `${mcp} characters in all`,
      "an export": `${exportBytes} bytes, this user alone`,
      "a policy change's reply": `${whole} bytes, or ${minimal} with return=minimal`,
      "a capture as admin": `p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms`,
      "names that look alike": "anna1 and annal are made",
    },
    violations,
  };
}

function recallOverMcp(url: string, key: string, tenant: string): Promise<string> {
  const params = { name: "recall", arguments: QUESTION };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const headers = { authorization: `Bearer ${key}`, [TENANT_HEADER]: tenant, "content-type": "application/json" };
  const accept = { accept: "application/json, text/event-stream" };
  return send(url, MCP_PATH, { ...headers, ...accept }, JSON.stringify(message));
}

async function send(url: string, path: string, headers: Record<string, string>, body?: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers, ...(body !== undefined && { method: "POST", body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
  return text;
}
