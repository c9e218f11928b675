// One row of the timeline as a sentence: who did what, and which gates were closed.

import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { ActivityKind } from "#core/activity-kind.ts";
import { plural } from "#web/lib/strings.ts";
import { type Asked, KeptQuestion } from "#web/receipt/kept-question.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import {
  Anchor,
  BookOpen,
  CircleSlash,
  Eraser,
  type Icon,
  Lock,
  MessageSquare,
  PenLine,
  Settings2,
  ShieldX,
  TriangleAlert,
} from "#web/ui/icons.tsx";
import { AgentLink, MemoryLink, NamespaceLink } from "#web/ui/links.tsx";
import { Name, NameList, say } from "#web/ui/text.tsx";
import type { Decision } from "./filter-bar.tsx";

const ICONS: Readonly<Record<ActivityKind, Icon>> = {
  answer: MessageSquare,
  read: BookOpen,
  capture: PenLine,
  policy: Lock,
  forgetting: Eraser,
  anchor: Anchor,
  setting: Settings2,
  refusal: ShieldX,
  failure: TriangleAlert,
};

const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export function ActivityEntry({ decision }: { readonly decision: Decision & Asked }) {
  const { at, kind } = decision;
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-3 sm:grid-cols-[5.5rem_1.5rem_minmax(0,1fr)]">
      <time
        dateTime={at}
        title={at}
        className="col-start-2 row-start-2 font-mono text-soft text-xs sm:col-start-1 sm:row-start-1 sm:pt-1"
      >
        {TIME.format(new Date(at))}
      </time>
      <span className="row-start-1 pt-0.5 text-soft sm:col-start-2">
        <KindIcon decision={decision} />
      </span>
      <div className="row-start-1 min-w-0 sm:col-start-3">
        <p>{sentenceOf(decision)}</p>
        <KeptQuestion question={decision.question} />
        {(kind === "answer" || kind === "read") && <Gates decision={decision} />}
      </div>
    </li>
  );
}

function KindIcon({ decision: { kind, details, outcome } }: { readonly decision: Decision }) {
  if (kind === "policy") return <GateIcon open={details?.allowed === true} className="size-5" />;
  const Icon = outcome === "broken-off" ? CircleSlash : ICONS[kind];
  return <Icon className="size-5" strokeWidth={1.75} />;
}

function sentenceOf(decision: Decision): ReactNode {
  const { kind, agentId, namespace, details, route, outcome, memoryId, answerId } = decision;
  // Whoever called, by the name of its key.
  const who = <Name className="font-medium">{decision.principalName}</Name>;
  const agent = agentId === undefined ? who : <AgentLink agentId={agentId} className="font-medium" />;
  const place = namespace !== undefined && <NamespaceLink name={namespace} className="font-medium" />;
  const receipt = answerId !== undefined && <Link href={pagePath("receipt", { answerId })}>Receipt</Link>;
  // Its page shows the tombstone of a forgotten one.
  const memory = memoryId !== undefined && (
    <MemoryLink memoryId={memoryId} isForgotten={kind === "forgetting"}>
      a memory
    </MemoryLink>
  );
  switch (kind) {
    case "answer": {
      const asked =
        outcome === "broken-off" ? "asked, and the answer was broken off" : (ANSWERED.get(route) ?? "asked");
      return say(agent, ` ${asked}. `, receipt);
    }
    case "read":
      if (decision.role === "agent") return say(agent, " was given memories.");
      return say(agent, " was given memories. ", <span className="text-soft text-sm">Seen by {who}.</span>);
    case "capture":
      return say(who, " captured ", memory || "a memory", place && say(" in ", place), ".");
    case "policy":
      if (details?.allowed === null) return say(who, " removed the rule of ", place, " for ", agent, ".");
      return say(who, details?.allowed === true ? " opened " : " closed ", place, " to ", agent, ".");
    case "forgetting": {
      const count = details?.memories ?? 1;
      const memories = count === 1 ? "A memory" : plural(count, "memory", "memories");
      if (details?.cause === "expired") return `${memories} expired.`;
      const forgotten = count === 1 ? memory || "a memory" : memories;
      return say(who, " forgot ", forgotten, place && say(" of ", place), ".");
    }
    case "anchor": {
      const { receiptId } = details ?? {};
      const verify = receiptId !== undefined && <Link href={pagePath("verify", { receiptId })}>Verify</Link>;
      return say(who, ` anchored a receipt ${verify ? "on the ledger" : "as a blob"}. `, receipt, " ", verify);
    }
    case "refusal":
      return say(who, ` was refused: ${wordsOf(route)}.`);
    case "failure":
      return say("A call of ", who, ` failed: ${wordsOf(route)}.`);
    case "setting": {
      const done = SETTINGS.get(route) ?? `changed a setting: ${wordsOf(route)}`;
      return say(who, ` ${done}`, place && say(" of ", place), ".");
    }
  }
}

const ANSWERED: ReadonlyMap<string, string> = new Map([
  ["recall", "recalled memories"],
  ["companion", "was asked"],
  ["learn", "extracted facts from a conversation"],
]);

const SETTINGS: ReadonlyMap<string, string> = new Map([
  ["updateMemory", "pinned or unpinned a memory"],
  ["putNamespace", "changed the settings"],
  ["declineProposal", "declined a proposal"],
  ["createKey", "created a key"],
  ["rotateKey", "rotated a key"],
  ["revokeKey", "revoked a key"],
  ["createTenant", "created a tenant"],
  ["putTenant", "created a tenant, or found it there"],
  ["updateTenant", "suspended or resumed a tenant, or set its quotas"],
  ["deleteTenant", "deleted a tenant"],
  ["putTemplate", "changed a template of tenants"],
  ["deleteTemplate", "removed a template of tenants"],
  ["applyTemplate", "applied a template to its tenants"],
  ["createTenantKey", "created a key of a tenant's admin"],
  ["resetDemo", "reset the demo data"],
  ["importRecords", "imported an export"],
]);

/** `createKey` becomes "create key". */
const wordsOf = (route: string): string => route.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

type GateCounts = Pick<Decision, "allowedNamespaces" | "blockedNamespaces" | "allowedCount" | "blockedCount">;

/** Which namespaces were open for an answer, and which were closed. */
function Gates({ decision }: { readonly decision: GateCounts }) {
  const { allowedNamespaces = [], blockedNamespaces = [], allowedCount, blockedCount } = decision;
  if (allowedCount === undefined && blockedCount === undefined) return null;
  return (
    <p className="text-soft text-sm">
      Open: {allowedCount ? <NameList names={allowedNamespaces} total={allowedCount} /> : "nothing"}.{" "}
      <span className={blockedCount ? "text-ink" : undefined}>
        Closed: {blockedCount ? <NameList names={blockedNamespaces} total={blockedCount} /> : "nothing"}.
      </span>
    </p>
  );
}
