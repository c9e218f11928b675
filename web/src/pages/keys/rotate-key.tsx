import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { replaceItem } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { IssuedKey, KeyRecord } from "./key-record.ts";

/**
 * How long the old secret stays good. It never ends at once: an admin who rotates the key of this very session would be
 * signed out before reading the new one.
 */
const GRACE = [
  ["5 minutes", 300],
  ["1 hour", 3_600],
  ["1 day", 86_400],
] as const;

interface RotateKeyProps {
  readonly record: KeyRecord;
  readonly onIssued: (issued: IssuedKey) => void;
}

/** Gives a key another secret. */
export function RotateKey({ record: { keyId, name }, onIssued }: RotateKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const [graceSeconds, setGraceSeconds] = useState<number>(GRACE[1][1]);
  const rotating = useMutation({
    // The mutation has no result, so that the cache does not keep the secret.
    async mutationFn() {
      const issued = await client.rotateKey({ keyId }, { graceSeconds });
      setOpen(false);
      replaceItem<KeyRecord>(queryKeys.keys, (item) => item.keyId === keyId, issued.record);
      onIssued(issued);
    },
  });
  return (
    <>
      <Button look="plain" aria-label={`Rotate ${name}`} onClick={() => setOpen(true)}>
        Rotate …
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Rotate this key?">
        <p>
          The key of <Name className="font-medium">{name}</Name> gets another secret, with the same role.
        </p>
        <Field
          label="The old secret stays good for"
          className="mt-4 max-w-56"
          hint="To end it at once, revoke the key and create another."
        >
          {(control) => (
            <Select {...control} value={graceSeconds} onChange={({ target }) => setGraceSeconds(Number(target.value))}>
              {GRACE.map(([words, seconds]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {rotating.error !== null && (
          <div className="mt-4">
            <ProblemNote error={rotating.error} />
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={rotating.isPending} onClick={() => rotating.mutate()}>
            {rotating.isPending ? "Rotating …" : "Rotate"}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <AsCode route="rotateKey" input={{ params: { keyId }, body: { graceSeconds } }} />
        </div>
      </Dialog>
    </>
  );
}
