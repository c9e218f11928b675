// The mark of a pinned memory, and the button that pins or unpins one.
import { useMutation } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import type { Memory } from "#core/memory.ts";
import { client, queryClient, queryKeys } from "#web/api/client.ts";
import { replaceItem } from "#web/api/use-cursor-pages.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { memoryKey } from "./listed-memory.ts";
import { MemoryMark } from "./memory-mark.tsx";

export const PinMark = () => (
  <MemoryMark icon={Pin} title="It is given for every question of an agent that may use it.">
    pinned
  </MemoryMark>
);

export function PinButton({ memory: { memoryId, namespace, pinned, supersededBy } }: { readonly memory: Memory }) {
  const { governs } = usePermissions();
  const pin = useMutation({
    mutationFn: () => client.updateMemory({ memoryId }, { pinned: !pinned }),
    onSuccess({ memory }) {
      replaceItem<Memory>(queryKeys.memories, (item) => item.memoryId === memoryId, memory);
      // Its own page holds it alone.
      queryClient.setQueryData(memoryKey(memoryId), { memory });
    },
  });
  if (!governs(namespace) || supersededBy !== undefined) return null;
  return (
    <>
      <Button look="plain" className="sm:ml-auto" busy={pin.isPending} onClick={() => pin.mutate()}>
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
