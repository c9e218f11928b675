// /webhooks: where events are sent, and what became of each delivery. A new secret is shown once.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { EVENT_KINDS } from "#core/identity/visible-events.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { IssuedKeyNote } from "#web/pages/keys/key-card.tsx";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Checkbox, Form, RunButton, TextField } from "#web/ui/form.tsx";
import { ListEnd } from "#web/ui/list.tsx";
import { Disclosure, EmptyState, PageHeader, RecordCard, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { Name, say, Timestamp } from "#web/ui/text.tsx";

type Issued = Reply<"createWebhook">;

export default function WebhooksPage() {
  const [issued, setIssued] = useState<Issued>();
  const { data, error, refetch } = useQuery({ queryKey: queryKeys.webhooks, queryFn: () => client.listWebhooks() });
  return (
    <>
      <PageHeader title="Webhooks" lede="Events are sent to your URLs as they happen, signed and without any text." />
      {issued !== undefined && (
        <IssuedKeyNote
          key={issued.secret}
          what="secret"
          issued={{ key: issued.secret, record: { name: issued.webhook.url } }}
          onDismiss={() => setIssued(undefined)}
        />
      )}
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Section title="Add a webhook" className="lg:self-start">
          <CreateWebhook onIssued={setIssued} />
        </Section>
        <Section title="All webhooks" className="min-w-0">
          {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Skeleton what="the webhooks" className="h-40" />}
          {data?.webhooks.length === 0 && <EmptyState title="No webhook yet." />}
          <ul aria-label="Webhooks" className="flex flex-col gap-3 empty:hidden">
            {data?.webhooks.map((webhook) => (
              <li key={webhook.webhookId}>
                <WebhookCard webhook={webhook} />
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

function CreateWebhook({ onIssued }: { readonly onIssued: (issued: Issued) => void }) {
  const [url, setUrl] = useState("");
  const [kinds, setKinds] = useState<readonly (typeof EVENT_KINDS)[number][]>([]);
  const body = { url, kinds: [...kinds] };
  const creating = useMutation({
    // The mutation has no result, so that the cache does not keep the secret.
    async mutationFn() {
      const issued = await client.createWebhook(body);
      setUrl("");
      invalidate("webhooks");
      onIssued(issued);
    },
  });
  return (
    <Form onSubmit={() => creating.mutate()} className="flex flex-col gap-4">
      <TextField label="URL" hint="https, outside of this network." type="url" required value={url} onChange={setUrl} />
      <fieldset>
        <legend className="font-medium text-sm">Events</legend>
        <p className="text-soft text-xs">None chosen: all.</p>
        {EVENT_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              setKinds(kinds.filter((other) => other !== kind).concat(target.checked ? kind : []))
            }
          >
            {kind}
          </Checkbox>
        ))}
      </fieldset>
      <RunButton type="submit" className="self-start" of={creating} words={["Add", "Adding …"]} />
      <AsCode route="createWebhook" input={{ body }} />
      {creating.error !== null && <ProblemNote error={creating.error} />}
    </Form>
  );
}

function WebhookCard({ webhook }: { readonly webhook: Issued["webhook"] }) {
  const { webhookId, url, kinds, createdAt, createdBy, failures, endedAt } = webhook;
  const ended = endedAt !== undefined && <StatusMark status="fail">ended with its key</StatusMark>;
  const failing = failures > 0 && <StatusMark status="unknown">{plural(failures, "failure")} in a row</StatusMark>;
  return (
    <RecordCard name={url} mark={ended || failing}>
      <p className="mt-1 text-soft text-sm">
        {kinds.length === 0 ? "All events" : kinds.join(", ")}. Added <Timestamp at={createdAt} /> by{" "}
        <Name>{createdBy}</Name>.
      </p>
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4">
        <Disclosure summary="Deliveries">{() => <Deliveries webhookId={webhookId} />}</Disclosure>
        <ActionDialog
          button="Delete …"
          label={`Delete ${url}`}
          title="Delete this webhook?"
          action={["Delete", "Deleting …"]}
          run={() => client.removeWebhook({ webhookId })}
          onDone={() => {
            // The button is gone with the card.
            document.querySelector("h1")?.focus();
            invalidate("webhooks");
          }}
          code={<AsCode route="removeWebhook" input={{ params: { webhookId } }} />}
          lede={say("Nothing more is sent to ", <Name>{url}</Name>, ".")}
        />
      </div>
    </RecordCard>
  );
}

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const pages = useCursorPages({
    queryKey: ["webhook-deliveries", webhookId],
    fetchPage: (page, signal) => client.listDeliveries({ webhookId }, page, { signal }),
    pageSize: 20,
  });
  return (
    <>
      {pages.isEmpty && <p className="text-soft text-sm">Nothing was sent yet.</p>}
      <ul aria-label="Deliveries, newest first" className="divide-y divide-line text-sm empty:hidden">
        {pages.items.map(({ number, at, kind, attempt, status, error }) => (
          <li key={number} className="flex flex-wrap items-center gap-x-4 py-1.5">
            <StatusMark status={error === undefined ? "pass" : "fail"}>{error ?? `${status}`}</StatusMark>
            <span>{kind}</span>
            {attempt > 1 && <span className="text-soft">attempt {attempt}</span>}
            <Timestamp at={at} />
          </li>
        ))}
      </ul>
      <ListEnd pages={pages} more="Show older deliveries" />
    </>
  );
}
