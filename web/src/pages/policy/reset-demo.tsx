import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";

/** Restores the seed memories and the default policy, after a confirmation. */
export function ResetDemo() {
  const [isOpen, setOpen] = useState(false);
  const reset = useMutation({
    mutationFn: () => client.resetDemo(),
    onSuccess() {
      setOpen(false);
      resetCursorPages(queryKeys.memories);
      invalidate("policy", "policyChanges", "overview");
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span role="status" className="empty:hidden">
        {reset.isSuccess && <StatusMark status="pass">The demo data is restored.</StatusMark>}
      </span>
      <Button
        onClick={() => {
          reset.reset();
          setOpen(true);
        }}
      >
        Reset demo data …
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Reset the demo data?">
        <p>The service deletes every memory, and restores the demo memories and the default policy.</p>
        <p className="mt-3 text-sm text-soft">Receipts, anchors and public blobs are kept.</p>
        {reset.error !== null && (
          <div className="mt-4">
            <ProblemNote error={reset.error} />
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={reset.isPending} onClick={() => reset.mutate()}>
            {reset.isPending ? "Restoring …" : "Reset"}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <AsCode route="resetDemo" />
        </div>
      </Dialog>
    </div>
  );
}
