// /log: the transparency log: how far it goes, who has cosigned it, what of it is on the ledger, and whether an answer is in
// it. What the service says is checked here: the signature, that the tree which was seen before is the beginning of this
// one, and each proof.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { toHex } from "#core/encoding/digest.ts";
import { parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { isConsistent } from "#core/log/merkle-tree.ts";
import { parseVkey } from "#core/log/signed-note.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { readStored, storeValue } from "#web/lib/storage.ts";
import { plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, Form, TextField } from "#web/ui/form.tsx";
import { PageHeader, RawContent, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { CopyableId, Count, Facts, Name, Timestamp } from "#web/ui/text.tsx";
import { bytesOf, isSignedBy } from "./signed-trees.ts";

const LAST_ENTRIES = 10;
const LAST_TRANSACTIONS = 200;
const NO_WITNESS = "none: the operator could show others another log";

export default function LogPage() {
  const { data, error, refetch, isFetching } = useQuery({ queryKey: ["log"], queryFn: readLog });
  return (
    <>
      <PageHeader
        title="Log"
        lede="Every receipt, policy and key has an entry. Whoever kept an earlier checkpoint notices a change."
        actions={
          <Button busy={isFetching} onClick={() => void refetch()}>
            Look again
          </Button>
        }
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        // What follows appears after it (base.css).
        <section>
          <Skeleton what="the log" className="h-72" />
        </section>
      )}
      {data !== undefined && <LogFacts {...data} />}
      <Section title="Is my answer in it?">
        <FindAnswer />
      </Section>
      {data !== undefined && (
        <Section title="Your last entries" lede="Salted: nobody else can read them from the log.">
          <ol reversed className="divide-y divide-line border-line border-y text-sm empty:hidden">
            {data.entries.map(({ number, kind, at }) => (
              <li key={number} className="flex gap-x-6 py-1.5">
                <span className="w-12 flex-none">
                  <Count value={number} />
                </span>
                <span className="flex-1">{kind}</span>
                <Timestamp at={at} />
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

/** The log now, compared with the checkpoint that this browser saw last. One that does not follow on it is not kept. */
async function readLog() {
  const { vkey, number, checkpoint } = await client.getLog();
  const place = `portcullis log ${vkey}`;
  const tree = parseCheckpoint(checkpoint);
  const seen = parseCheckpoint(readStored(place) ?? "");
  const follows = seen === undefined || (tree !== undefined && (await isBeginning(seen, tree)));
  if (follows) storeValue(place, checkpoint);
  const isSigned = isSignedBy(vkey, tree);
  const named =
    tree?.note.signatures.filter(({ name }) => name !== parseVkey(vkey)?.name).map(({ name }) => name) ?? [];
  const witnesses =
    named.length === 0 ? NO_WITNESS : <Name>{`${named.join(", ")}: by name, their keys are not known here`}</Name>;
  const after = Math.max(0, number - LAST_ENTRIES);
  const { entries } = number === 0 ? { entries: [] } : await client.listLogEntries({ after, limit: LAST_ENTRIES });
  const said = entries.map(({ body, ...entry }) => ({
    ...entry,
    ...(JSON.parse(body) as { kind: string; at: string }),
  }));
  return { number, checkpoint, tree, seen, follows, isSigned, witnesses, entries: said.toReversed() };
}

async function isBeginning(seen: SignedCheckpoint, tree: SignedCheckpoint): Promise<boolean> {
  const isBetween = seen.size > 0 && seen.size < tree.size;
  const { hashes } = isBetween ? await client.getLogConsistency({ from: seen.size, to: tree.size }) : { hashes: [] };
  return isConsistent(seen, tree, bytesOf(hashes));
}

const mark = (isGood: boolean, words: string): ReactNode => (
  <StatusMark status={isGood ? "pass" : "fail"}>{words}</StatusMark>
);

function LogFacts({ tree, seen, follows, isSigned, ...log }: Awaited<ReturnType<typeof readLog>>) {
  const grown = (tree?.size ?? 0) - (seen?.size ?? 0);
  return (
    <section aria-label="The last checkpoint" className="rounded-lg border border-line bg-card px-5 py-4">
      <Facts
        className="grid-cols-[auto_minmax(0,1fr)] text-sm"
        rows={{
          Entries: <Count value={tree?.size ?? 0} />,
          "Of yours": <Count value={log.number} />,
          Log: tree && <Name>{tree.origin}</Name>,
          Root: tree && <CopyableId value={toHex(tree.root)} label="root" ends={10} />,
          Signature: mark(isSigned, isSigned ? "valid" : "not valid"),
          "Since you last looked": follows
            ? seen && mark(true, `${plural(grown, "entry", "entries")} more, nothing before them changed`)
            : mark(false, "not the same log: the one that you saw before is not its beginning"),
          Witnesses: <StatusMark status="unknown">{log.witnesses}</StatusMark>,
          "On the ledger": usePermissions().may("ledgerTransactions") && <Anchored />,
        }}
      />
      <RawContent summary="The checkpoint" text={log.checkpoint} />
    </section>
  );
}

/** The checkpoints among the last transactions of the local ledger. Of another ledger, a proof names its own. */
function Anchored() {
  const { data } = useQuery({
    queryKey: [...queryKeys.ledger, "checkpoints"],
    queryFn: () => client.ledgerTransactions({ limit: LAST_TRANSACTIONS }),
  });
  const anchored = data?.transactions.filter(({ functions }) => functions.anchor_checkpoint !== undefined) ?? [];
  const [last] = anchored;
  if (last === undefined) return "none yet";
  return (
    <>
      {plural(anchored.length, "checkpoint")}, the last{" "}
      <Link href={pagePath("ledgerTransaction", { digest: last.digest })}>
        <Timestamp at={last.timestampMs} />
      </Link>
    </>
  );
}

/** Whether the receipt of an answer is in the log, with its digest. */
function FindAnswer() {
  const [answerId, setAnswerId] = useState("");
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (id: string) => (await import("./find-answer.ts")).findAnswer(id),
  });
  return (
    <>
      <Form
        onSubmit={() => answerId.trim() !== "" && mutate(answerId.trim())}
        className="grid max-w-[40rem] items-end gap-4 sm:grid-cols-[1fr_auto]"
      >
        <TextField
          label="Answer id"
          placeholder="ans_…"
          spellCheck={false}
          autoComplete="off"
          required
          value={answerId}
          onChange={setAnswerId}
        />
        <Button type="submit" busy={isPending} className="justify-self-start">
          Look
        </Button>
        <div className="sm:col-span-2">
          <AsCode route="getReceiptProof" input={{ params: { answerId } }} />
        </div>
      </Form>
      <div role="status" className="mt-4 text-sm">
        {data?.proven === undefined && data && mark(false, "The proof does not lead to the log.")}
        {data?.proven && (
          <>
            <StatusMark status="pass">
              In the log: entry {(data.entry.index + 1).toLocaleString("en")} of {data.proven.size.toLocaleString("en")}
              , number {data.entry.number.toLocaleString("en")} of yours.
            </StatusMark>{" "}
            <Link href={pagePath("receipt", { answerId: data.id })}>Its receipt</Link>
            <p>{mark(data.isOwn, `The entry has the digest of ${data.isOwn ? "this" : "another"} receipt.`)}</p>
            {data.onLedger && (
              <p>
                {mark(
                  data.onLedger.isIn,
                  `${data.onLedger.isIn ? "On the ledger, in a tree" : "Not in the tree on the ledger"} of ${plural(data.onLedger.size, "entry", "entries")}.`,
                )}{" "}
                <Link href={pagePath("ledgerObject", { objectId: data.onLedger.objectId })}>Its checkpoint</Link>
              </p>
            )}
            <RawContent summary="What the entry says" text={data.entry.body} />
          </>
        )}
      </div>
      {error !== null && <ProblemNote error={error} />}
    </>
  );
}
