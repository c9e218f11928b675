// Learns from a conversation in a file, part by part.
import { readFile } from "node:fs/promises";
import { type Invocation, type Runs, textArgument, UsageError } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { table } from "#cli/terminal/table.ts";
import type { Body, Reply } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";

type Message = Body<"learn">["messages"][number];
type Proposal = Reply<"learn">["proposals"][number];

/** Of one call. */
const PART = { messages: 50, characters: 20_000 };

export const runs: Runs<"learn"> = {
  async learn(invocation) {
    const { values, wanted, out, err, say, json } = invocation;
    const { messages, others } = messagesIn(await conversationText(invocation));
    const { client } = await openClient(invocation);
    const bar = progressBar(err, messages.length);
    const proposals: Proposal[] = [];
    const receipts: string[] = [];
    let [known, leftOut, done] = [0, 0, 0];
    let extractor = "";
    for (const part of partsOf(messages)) {
      const learned = await client.learn({ ...wanted, messages: part });
      const first = done;
      proposals.push(
        ...learned.proposals.map((each) => ({ ...each, derivedFrom: each.derivedFrom.map((place) => first + place) })),
      );
      receipts.push(learned.receipt.answerId);
      known += learned.known.length;
      leftOut += learned.leftOut;
      extractor = learned.extractor;
      done += part.length;
      bar.show(done, `${done} of ${messages.length} messages`);
    }
    bar.clear();
    if (values.json) return json({ proposals, known, leftOut, extractor, receipts });
    await table(out, ["NAMESPACE", "CONFIDENCE", "MESSAGES", "FACT", "IN PLACE OF"]).add(proposals.map(rowOf));
    await say(
      `${proposals.length} ${WHAT[wanted.mode ?? "propose"]}; ${known} known already, ${leftOut} left out. By ${extractor}.`,
    );
    if (leftOut > 0 && values.defaultNamespace === undefined)
      await say("What fits no namespace goes to --default <name>.");
    if (others > 0) await say(`${others} messages of other roles were not read.`);
  },
};

const WHAT = { propose: "proposed, and nothing is stored", review: "wait for review", store: "stored" };

const rowOf = ({ namespace, confidence, derivedFrom, content, supersedes }: Proposal): string[] => [
  namespace,
  confidence.toFixed(2),
  derivedFrom.join(","),
  content,
  supersedes?.content ?? supersedes?.memoryId ?? "",
];

async function conversationText(invocation: Invocation<"learn">): Promise<string> {
  const [file] = invocation.positionals;
  return file === undefined ? textArgument({ ...invocation, positionals: [] }, "file") : readFile(file, "utf8");
}

function messagesIn(text: string): { readonly messages: readonly Message[]; readonly others: number } {
  const given: unknown = orUndefined(() => JSON.parse(text));
  if (given === undefined)
    throw new UsageError("The file must be JSON: a list of messages, or an object with such a list as `messages`.");
  const listed = Array.isArray(given) ? given : (given as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(listed)) throw new UsageError("The file has no list of messages.");
  const messages = listed.filter((each) => each?.role === "user" || each?.role === "assistant");
  if (messages.length === 0) throw new UsageError("The file has no message of a user or an assistant.");
  return { messages, others: listed.length - messages.length };
}

function* partsOf(messages: readonly Message[]): Generator<Message[]> {
  let part: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const length = String(message.content).length;
    if (part.length === PART.messages || (part.length > 0 && characters + length > PART.characters)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(message);
    characters += length;
  }
  yield part;
}
