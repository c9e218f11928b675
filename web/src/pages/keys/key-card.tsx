// A new key, until its reader says that it is stored. It is in this page only, and nobody can show it again.
import { useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { parseRole } from "#core/identity/principal.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { updateItems } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { roleInWords } from "#web/session/permissions.ts";
import { checkSession, useSessionState } from "#web/session/session.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Button, CopyButton, Select } from "#web/ui/form.tsx";
import { focusOnce, RecordCard } from "#web/ui/page.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { Facts, Name, say, Timestamp } from "#web/ui/text.tsx";

interface KeyCardProps {
  readonly record: KeyRecord;
  readonly onIssued: (issued: IssuedKey) => void;
}

export function KeyCard({ record, onIssued }: KeyCardProps) {
  const { name, captures, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, previousEndsAt } = record;
  const state = stateOf(record);
  // An operator's list has the keys that belong to no tenant.
  const isOfAllTenants = useSessionState().session?.role === "operator" && record.role.startsWith("agent:");
  const [isRevokedHere, setRevokedHere] = useState(false);
  const at = (time: string | undefined) => (time === undefined ? "never" : <Timestamp at={time} />);
  const facts = {
    Role: <Name>{`${roleOf(record)}${isOfAllTenants ? " in every tenant" : ""}`}</Name>,
    "Captures into":
      record.role.startsWith("agent:") && (captures.length === 0 ? "nothing" : <Name>{captures.join(", ")}</Name>),
    Created: say(<Timestamp at={createdAt} />, " by ", <Name>{createdBy}</Name>),
    "Last used": at(lastUsedAt),
    ...(revokedAt === undefined ? { Expires: at(expiresAt) } : { Revoked: at(revokedAt) }),
    "The old secret ends": state === "active" && previousEndsAt !== undefined && at(previousEndsAt),
  };
  return (
    <RecordCard
      name={name}
      mark={<StatusMark status={state === "active" ? "pass" : "fail"}>{state}</StatusMark>}
      isFocused={revokedAt !== undefined && isRevokedHere}
    >
      <Facts
        rows={facts}
        row="min-w-0"
        className="mt-2 grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-3 [&_dt]:text-xs"
      />
      {state !== "revoked" && (
        <div className="mt-2 -ml-1.5 flex flex-wrap gap-x-4">
          {state === "active" && <RotateKey record={record} onIssued={onIssued} />}
          <RevokeKey record={record} onRevoke={() => setRevokedHere(true)} />
        </div>
      )}
    </RecordCard>
  );
}

/**
 * How long the old secret stays valid. It never ends at once: an admin who rotates the key of this very session would be
 * signed out before reading the new one.
 */
const GRACE = [
  [300, "5 minutes"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
] as const;

function RotateKey({ record: { keyId, name }, onIssued }: KeyCardProps) {
  const [graceSeconds, setGraceSeconds] = useState<number>(GRACE[1][0]);
  return (
    <ActionDialog
      button="Rotate …"
      label={`Rotate ${name}`}
      title="Rotate this key?"
      action={["Rotate", "Rotating …"]}
      run={() => client.rotateKey({ keyId }, { graceSeconds })}
      onDone={(issued) => {
        updateItems<KeyRecord>(queryKeys.keys, (item) => (item.keyId === keyId ? issued.record : item));
        onIssued(issued);
      }}
      code={<AsCode route="rotateKey" input={{ params: { keyId }, body: { graceSeconds } }} />}
      lede={say("The key of ", <Name className="font-medium">{name}</Name>, " gets a new secret. Its role stays.")}
    >
      <Select
        label="The old secret stays valid for"
        className="mt-4 max-w-56"
        hint="To end it at once, revoke the key and create another."
        value={graceSeconds}
        options={GRACE}
        onChange={(value) => setGraceSeconds(Number(value))}
      />
    </ActionDialog>
  );
}

interface RevokeKeyProps {
  readonly record: KeyRecord;
  /** Called before the key is shown as revoked, and this button is gone. */
  readonly onRevoke: () => void;
}

const RevokeKey = ({ record: { keyId, name }, onRevoke }: RevokeKeyProps) => (
  <ActionDialog
    button="Revoke …"
    label={`Revoke ${name}`}
    title="Revoke this key?"
    action={["Revoke", "Revoking …"]}
    run={() => client.revokeKey({ keyId })}
    onDone={({ record }) => {
      onRevoke();
      updateItems<KeyRecord>(queryKeys.keys, (item) => (item.keyId === keyId ? record : item));
      void checkSession();
    }}
    code={<AsCode route="revokeKey" input={{ params: { keyId } }} />}
  >
    <p>
      The service refuses the next request with the key of <Name className="font-medium">{name}</Name>, and ends its
      sessions and streams. This cannot be undone.
    </p>
    <p className="mt-3 text-sm text-soft">If you signed in with it, you are signed out.</p>
  </ActionDialog>
);

export type IssuedKey = Reply<"createKey">;
export type KeyRecord = IssuedKey["record"];

type KeyState = "active" | "expired" | "revoked";

export function stateOf({ revokedAt, expiresAt }: KeyRecord, now = Date.now()): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** The role in words; as it was recorded when a later version wrote it. */
export const roleOf = ({ role, captures }: KeyRecord): string =>
  orUndefined(() => roleInWords(parseRole(role, captures))) ?? role;

interface IssuedKeyNoteProps {
  readonly issued: Pick<IssuedKey, "key"> & { readonly record: Pick<IssuedKey["record"], "name"> };
  readonly what?: "key" | "secret";
  readonly onDismiss: () => void;
}

export function IssuedKeyNote({ issued: { key, record }, what = "key", onDismiss }: IssuedKeyNoteProps) {
  return (
    <section
      aria-labelledby="issued-key"
      className="mb-10 scroll-mt-4 rounded-lg border border-unknown bg-unknown-wash p-5 sm:p-6"
    >
      <h2 ref={focusOnce} id="issued-key" tabIndex={-1} className="scroll-mt-8 font-medium font-serif text-xl">
        The {what} of <Name>{record.name}</Name>
      </h2>
      <p className="measure mt-1 text-sm">
        Copy it now and keep it safe. <strong className="font-medium">It is not shown again.</strong>
      </p>
      <code className="mt-4 block break-all rounded-md border border-line bg-card px-4 py-3 font-mono text-sm">
        {key}
      </code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton text={key} what={what} look="quiet" />
        <Button
          onClick={() => {
            // The button is gone with the note.
            document.querySelector("h1")?.focus();
            onDismiss();
          }}
        >
          I have stored it
        </Button>
      </div>
    </section>
  );
}
