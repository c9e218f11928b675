// The mark of a pinned memory, and the button that pins or unpins one.
import { useMutation } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import type { Memory } from "#core/memory.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { replaceItem } from "#web/api/use-cursor-pages.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";

export const PinMark = () => (
  <span
    className="inline-flex items-center gap-1 self-center rounded-sm bg-well px-1.5 font-medium text-ink"
    title="It is given for every question of an agent that may use it."
  >
    <Pin aria-hidden="true" className="size-3" /> pinned
  </span>
);

export function PinButton({ memory: { memoryId, namespace, pinned } }: { readonly memory: Memory }) {
  const { governs } = usePermissions();
  const pin = useMutation({
    mutationFn: () => client.updateMemory({ memoryId }, { pinned: !pinned }),
    onSuccess: ({ memory }) => replaceItem<Memory>(queryKeys.memories, (item) => item.memoryId === memoryId, memory),
  });
  if (!governs(namespace)) return null;
  return (
    <>
      <Button look="plain" className="-mr-2 ml-auto" busy={pin.isPending} onClick={() => pin.mutate()}>
        {pinned ? "Unpin" : "Pin"}
      </Button>
      {pin.error !== null && (
        <div className="order-last mt-1 basis-full">
          <ProblemNote error={pin.error} />
        </div>
      )}
    </>
  );
}
