import { type ReactNode, useEffect, useRef } from "react";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { type IssuedKey, type KeyRecord, roleOf, stateOf } from "./key-record.ts";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

interface KeyCardProps {
  readonly record: KeyRecord;
  readonly onIssued: (issued: IssuedKey) => void;
}

export function KeyCard({ record, onIssued }: KeyCardProps) {
  const { name, captures, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, previousEndsAt } = record;
  const state = stateOf(record);
  const card = useRef<HTMLElement>(null);
  const isRevokedHere = useRef(false);
  // The button that had the focus is gone. Its card says now what happened.
  useEffect(() => {
    if (revokedAt !== undefined && isRevokedHere.current) card.current?.focus();
  }, [revokedAt]);
  return (
    <article ref={card} tabIndex={-1} className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 font-medium">
          <Name>{name}</Name>
        </h3>
        <StatusMark status={state === "active" ? "pass" : "fail"}>{state}</StatusMark>
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-3">
        <Fact name="Role">
          <Name>{roleOf(record)}</Name>
        </Fact>
        {record.role.startsWith("agent:") && (
          <Fact name="Captures into">{captures.length === 0 ? "nothing" : <Name>{captures.join(", ")}</Name>}</Fact>
        )}
        <Fact name="Created">
          <Timestamp at={createdAt} /> by <Name>{createdBy}</Name>
        </Fact>
        <Fact name="Last used">{lastUsedAt === undefined ? "never" : <Timestamp at={lastUsedAt} />}</Fact>
        {revokedAt === undefined ? (
          <Fact name="Expires">{expiresAt === undefined ? "never" : <Timestamp at={expiresAt} />}</Fact>
        ) : (
          <Fact name="Revoked">
            <Timestamp at={revokedAt} />
          </Fact>
        )}
        {state === "active" && previousEndsAt !== undefined && (
          <Fact name="The old secret ends">
            <Timestamp at={previousEndsAt} />
          </Fact>
        )}
      </dl>
      {state !== "revoked" && (
        <div className="mt-2 -ml-1.5 flex flex-wrap gap-x-4">
          {state === "active" && <RotateKey record={record} onIssued={onIssued} />}
          <RevokeKey
            record={record}
            onRevoke={() => {
              isRevokedHere.current = true;
            }}
          />
        </div>
      )}
    </article>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-soft text-xs">{name}</dt>
    <dd>{children}</dd>
  </div>
);
