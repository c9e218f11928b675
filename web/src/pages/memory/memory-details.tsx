// A memory in full, with all that is on record about it, and what the caller may do with it.

import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Memory } from "#core/memory.ts";
import { tombstoneQuery } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { BlobCheck } from "#web/memory/blob-check.tsx";
import { BlobId } from "#web/memory/blob-id.tsx";
import { ForgetMemory } from "#web/memory/forget-memory.tsx";
import { LifeMarks, Supersession } from "#web/memory/life-marks.tsx";
import { PinButton, PinMark } from "#web/memory/pin.tsx";
import { usePermissions } from "#web/session/use-permissions.ts";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { CorrectMemory } from "./correct-memory.tsx";
import { ExpireMemory } from "./expire-memory.tsx";

export function MemoryDetails({ memory }: { readonly memory: Memory }) {
  const { memoryId, namespace, content, sourceAgent, createdAt, storeRef, contentDigest } = memory;
  const { governs } = usePermissions();
  const cache = useQueryClient();
  /** The page asks again, and finds the tombstone. */
  function showTombstone(): void {
    void cache.invalidateQueries({ queryKey: tombstoneQuery(memoryId).queryKey });
  }
  return (
    <article className="rounded-lg border border-line bg-card px-5 pt-5 pb-4 sm:px-7">
      <p dir="auto" className="untrusted measure whitespace-pre-line font-serif text-lg leading-snug">
        {content}
      </p>
      <p className="mt-2 flex flex-wrap gap-2 text-xs empty:hidden">
        {memory.pinned && <PinMark />}
        <LifeMarks memory={memory} />
      </p>
      <Supersession memory={memory} />
      <dl className="mt-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <Row name="Namespace">
          <NamespaceLink name={namespace} />
        </Row>
        <Row name="Source agent">
          <AgentLink agentId={sourceAgent} />
        </Row>
        <Row name="Captured">
          <Timestamp at={createdAt} />
        </Row>
        <Row name="Memory id">
          <CopyableId value={memoryId} label="memory id" ends={10} />
        </Row>
        <Row name="Blob">
          <BlobId blobId={storeRef} ends={10} />
        </Row>
        <Row name="Digest">
          <CopyableId value={contentDigest} label="digest" ends={10} />
        </Row>
      </dl>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t pt-3 text-soft text-xs [&>button:first-child]:-ml-1.5">
        <BlobCheck memory={memory} />
        <PinButton memory={memory} />
        <CorrectMemory memory={memory} />
        <ExpireMemory memory={memory} />
        <ForgetMemory memory={memory} onForget={showTombstone} />
      </div>
      {governs(namespace) && memory.supersededBy === undefined && (
        <AsCode
          summary={memory.pinned ? "Unpin, as code" : "Pin, as code"}
          route="updateMemory"
          input={{ params: { memoryId }, body: { pinned: !memory.pinned } }}
        />
      )}
    </article>
  );
}

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);
