import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client, keys, refresh } from "#web/api/client.ts";
import { startOver } from "#web/api/use-cursor-pages.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Mark } from "#web/ui/status-mark.tsx";

/** Back to the first day. It forgets what was captured, so it asks first. */
export function ResetDemo() {
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => client.resetDemo(),
    onSuccess() {
      setAsking(false);
      startOver(keys.memories);
      refresh("policy", "policyChanges", "overview");
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span role="status" className="empty:hidden">
        {reset.isSuccess && <Mark status="pass">The demo data is restored.</Mark>}
      </span>
      <Button
        onClick={() => {
          reset.reset();
          setAsking(true);
        }}
      >
        Reset demo data …
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Reset the demo data?">
        <p>
          Every memory on record is forgotten and the first ones are restored, and all gates go back to how they stood
          on the first day.
        </p>
        <p className="mt-3 text-sm text-soft">
          Receipts and anchors are history and stay. Blobs that were stored are public, and stay too.
        </p>
        {reset.error !== null && (
          <div className="mt-4">
            <ProblemNote error={reset.error} />
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={reset.isPending} onClick={() => reset.mutate()}>
            {reset.isPending ? "Restoring …" : "Forget and restore"}
          </Button>
          <Button onClick={() => setAsking(false)}>Keep what is there</Button>
        </div>
      </Dialog>
    </div>
  );
}
