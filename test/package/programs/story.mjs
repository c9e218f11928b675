// What an integrator does with the client: runs in a folder that has nothing but the installed package. Arguments: the
// service's address and an admin's key. Prints what it saw as JSON.
import { ConnectionError, createClient, isProblem } from "portcullis/client";
import { isAllowed, isSignedBy, policyFrom, recall } from "portcullis/core";

const [, , baseUrl, adminKey] = process.argv;
const admin = createClient({ baseUrl, bearer: adminKey });

const { key } = await admin.createKey({ name: "gardener", role: "agent:gardener", captures: ["garden"] });
const gardener = createClient({ baseUrl, bearer: key });

// Streams: events on one connection, an import on another.
const leaving = new AbortController();
const listening = Promise.withResolvers();
const events = admin.listenToEvents({ signal: leaving.signal, onId: listening.resolve });
const firstEvent = events.next();
await listening.promise;
const facts = ["The hydrangea needs acid soil.", "The tomatoes are watered at six."];
const imported = [];
for await (const { line, memory } of gardener.importMemories(
  facts.map((content) => ({ namespace: "garden", content })),
))
  imported.push([line, memory.content]);
const refusal = await gardener.getOverview().catch((error) => isProblem(error, "forbidden") && error.status);

const question = { query: "When are the tomatoes watered?" };
const before = await gardener.recall(question);
await admin.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
const after = await gardener.recall(question);
const pieces = [];
const { answer, receipt } = await gardener.chat(question, { onText: (piece) => pieces.push(piece) });

const listed = [];
for await (const { content } of admin.listMemories.all({ limit: 1, namespace: "garden" })) listed.push(content);

const { value: event } = await firstEvent;
leaving.abort();
const aborted = await admin.getPolicy({ signal: leaving.signal }).catch((error) => error.name);

// The same gate, in this process.
const { keys } = await admin.getTrustRoot();
const policy = policyFrom([{ agentId: "gardener", namespace: "garden", allowed: true }]);
const memories = (await admin.listMemories({ namespace: "garden" })).memories.reverse();
const own = recall({ agentId: "gardener", query: question.query, now: new Date() }, memories, policy);

const nobody = createClient({ baseUrl: "http://127.0.0.1:9", retries: 0 });
const unreachable = await nobody.getPolicy().catch((error) => error instanceof ConnectionError && error.code);

const seen = {
  node: process.versions.node,
  imported,
  refusal,
  before: before.memories.map(({ content }) => content),
  blocked: before.blockedNamespaces.includes("garden"),
  after: after.memories.map(({ content }) => content),
  answer,
  isStreamed: pieces.join("") === answer && pieces.length > 0,
  isSigned: keys.some(({ publicKey }) =>
    isSignedBy(receipt, Uint8Array.fromHex?.(publicKey) ?? Buffer.from(publicKey, "hex")),
  ),
  listed,
  event: event.name,
  aborted,
  own: own.memories.map(({ content }) => content),
  isOpen: isAllowed(policy, "gardener", "garden"),
  unreachable,
};
process.stdout.write(`${JSON.stringify(seen)}\n`);
