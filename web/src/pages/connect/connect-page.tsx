// /connect: from no agent to one that has asked, in one form: what it is, what it is called, what it may use.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { roleText } from "#core/identity/principal.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { baseUrl } from "#web/lib/address.ts";
import { plural } from "#web/lib/strings.ts";
import { useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { useSessionState } from "#web/session/session.ts";
import { Button, Checkbox, Form, Select } from "#web/ui/form.tsx";
import { AgentLink } from "#web/ui/links.tsx";
import { NameField } from "#web/ui/name-fields.tsx";
import { PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { CodeBlock, Name, NameList } from "#web/ui/text.tsx";
import { type Connection, PROGRAMS } from "./client-lines.ts";

const FIRST_AGENT = "claude";

interface Made extends Connection {
  /** The last answer that it had before. */
  readonly last: string | undefined;
}

export default function ConnectPage() {
  const [program, setProgram] = useState(0);
  const [agentId, setAgentId] = useState(FIRST_AGENT);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [made, setMade] = useState<Made>();
  const { session, chosenTenant: tenant } = useSessionState();
  const access = useAccess();
  const names = useAgentsAndNamespaces();
  const namespaces = names?.namespaces ?? [];
  const isTicked = (name: string) => chosen.get(name) ?? access.gate(agentId, name).open;
  const fault = nameFault(agentId);

  const connecting = useMutation({
    // It has no result: the cache must not keep a key.
    async mutationFn() {
      const [last] = (await client.listReceipts({ agentId, limit: 1 })).receipts;
      const changed = namespaces.filter((name) => isTicked(name) !== access.gate(agentId, name).open);
      const rules = changed.map((namespace) => ({ agentId, namespace, allowed: isTicked(namespace) }));
      if (rules.length > 0) await client.setAccessBatch({ rules });
      const captures = namespaces.filter(isTicked);
      const role = roleText({ role: "agent", agentId, captures });
      const issued = session?.identities ? await client.createKey({ name: agentId, role, captures }) : undefined;
      invalidate("policy", "policyChanges", "overview", "keys");
      setChosen(new Map());
      setMade({
        url: baseUrl(),
        agentId,
        key: issued?.key,
        tenant: issued === undefined ? tenant : undefined,
        last: last?.receipt.answerId,
      });
    },
  });

  return (
    <>
      <PageHeader title="Connect an agent" lede="It gets what you tick, and nothing else." />
      <Form
        noValidate
        onSubmit={() => fault === undefined && connecting.mutate()}
        className="flex max-w-[44rem] flex-col gap-6"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Program"
            value={program}
            options={PROGRAMS.map(({ name }, i) => [i, name] as const)}
            onChange={(value) => setProgram(Number(value))}
          />
          <NameField
            label="Name of the agent"
            name="agentId"
            value={agentId}
            suggestions={names?.agents ?? []}
            error={fault}
            onChange={(name) => {
              setAgentId(name);
              setChosen(new Map());
            }}
          />
        </div>
        <fieldset>
          <legend className="mb-1 font-medium text-sm">Namespaces that it may use</legend>
          {names === undefined ? (
            <Skeleton className="h-24" />
          ) : (
            <ul className="grid max-h-96 grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 overflow-y-auto">
              {namespaces.map((name) => (
                <li key={name}>
                  <Checkbox
                    checked={isTicked(name)}
                    onChange={({ target }) => setChosen(new Map(chosen).set(name, target.checked))}
                  >
                    <Name>{name}</Name>
                  </Checkbox>
                </li>
              ))}
            </ul>
          )}
          {names !== undefined && namespaces.length === 0 && (
            <p className="text-sm text-soft">
              There are none yet. <Link href={pagePath("memories")}>Save a memory</Link> first.
            </p>
          )}
        </fieldset>
        <Button type="submit" look="primary" className="self-start" busy={connecting.isPending || names === undefined}>
          {session?.identities ? "Make the key" : "Open the gates"}
        </Button>
        {connecting.error !== null && <ProblemNote error={connecting.error} />}
      </Form>
      {made !== undefined && <Lines made={made} program={PROGRAMS[program] ?? PROGRAMS[0]} />}
    </>
  );
}

function Lines({ made, program }: { readonly made: Made; readonly program: (typeof PROGRAMS)[number] | undefined }) {
  if (program === undefined) return null;
  return (
    <Section title="Paste this" lede={`${program.place}.`} className="mt-10 max-w-[44rem]">
      <CodeBlock label={`the lines for ${program.name}`} text={program.lines(made)} />
      {made.key !== undefined && (
        <p className="mt-2 text-sm">
          The key is in these lines. <strong className="font-medium">It is not shown again.</strong>
        </p>
      )}
      <FirstCall made={made} />
    </Section>
  );
}

/** The feed of events has the newest receipts fetched again, so this is live. */
function FirstCall({ made: { agentId, last } }: { readonly made: Made }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.receipts, "newest", agentId],
    queryFn: () => client.listReceipts({ agentId, limit: 1 }),
  });
  const entry = data?.receipts.find(({ receipt }) => receipt.answerId !== last);
  const now = useNow();
  return (
    <div role="status" className="mt-6 rounded-lg border border-line bg-card px-5 py-4">
      {entry === undefined ? (
        <p>
          Waiting for the first call of <AgentLink agentId={agentId} /> …
        </p>
      ) : (
        <p className="flex items-start gap-2.5">
          <StatusIcon status="pass" className="mt-0.5 size-5" />
          <span>
            <Link href={pagePath("receipt", { answerId: entry.receipt.answerId })} className="font-medium">
              Connected
            </Link>
            : asked {entry.question !== undefined && <q className="untrusted">{entry.question}</q>}{" "}
            {ago(now - Date.parse(entry.receipt.createdAt))},{" "}
            {plural(entry.receipt.usedMemories.length, "memory", "memories")} passed
            {entry.receipt.blockedNamespaces.length > 0 && (
              <>
                , <NameList names={entry.receipt.blockedNamespaces} /> held back
              </>
            )}
            .
          </span>
        </p>
      )}
    </div>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${plural(seconds, "second")} ago` : `${plural(Math.round(seconds / 60), "minute")} ago`;
}
