import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { replaceItem } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { checkSession } from "#web/session/session.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { KeyRecord } from "./key-record.ts";

interface RevokeKeyProps {
  readonly record: KeyRecord;
  /** Called before the key is shown as revoked, and this button is gone. */
  readonly onRevoke: () => void;
}

/** Ends a key, after a confirmation. */
export function RevokeKey({ record: { keyId, name }, onRevoke }: RevokeKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const revoking = useMutation({
    mutationFn: () => client.revokeKey({ keyId }),
    onSuccess({ record }) {
      onRevoke();
      setOpen(false);
      replaceItem<KeyRecord>(queryKeys.keys, (item) => item.keyId === keyId, record);
      void checkSession();
    },
  });
  return (
    <>
      <Button look="plain" aria-label={`Revoke ${name}`} onClick={() => setOpen(true)}>
        Revoke …
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Revoke this key?">
        <p>
          The service refuses the next request with the key of <Name className="font-medium">{name}</Name>, and ends its
          sessions and streams. This cannot be undone.
        </p>
        <p className="mt-3 text-sm text-soft">If you signed in with it, you are signed out.</p>
        {revoking.error !== null && (
          <div className="mt-4">
            <ProblemNote error={revoking.error} />
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={revoking.isPending} onClick={() => revoking.mutate()}>
            {revoking.isPending ? "Revoking …" : "Revoke"}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <AsCode route="revokeKey" input={{ params: { keyId } }} />
        </div>
      </Dialog>
    </>
  );
}
