// After a capture: memories that say nearly the same. The caller corrects one of them by capturing the same fact again in
// its place, which leaves the captured memory and makes the other one history.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Reply } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { memoryPath } from "#web/memory/memory-marks.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { focusOnce } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { LongText } from "#web/ui/text.tsx";

interface SimilarMemoriesProps {
  readonly captured: Memory;
  readonly similar: NonNullable<Reply<"capture">["similar"]>;
}

export function SimilarMemories({ captured, similar }: SimilarMemoriesProps) {
  const { namespace, sourceAgent, content, key, memoryId } = captured;
  const correction = useMutation({
    mutationFn: (supersedes: string) =>
      client.capture({ namespace, sourceAgent, content, supersedes, ...(key !== undefined && { key }) }),
    onSuccess() {
      resetCursorPages(queryKeys.memories);
      invalidate("overview");
    },
  });
  if (correction.isSuccess) {
    return (
      <p ref={focusOnce} tabIndex={-1} className="text-sm">
        <StatusMark status="pass">corrected</StatusMark> The earlier memory is superseded. No answer uses it any more.{" "}
        <Link href={memoryPath(correction.variables)}>Show the earlier one</Link>
      </p>
    );
  }
  return (
    <section aria-label="Similar memories" className="flex flex-col gap-2 text-sm">
      <p>These say nearly the same:</p>
      <ul className="flex flex-col gap-2">
        {similar.map((each) => (
          <SimilarMemory
            key={each.memoryId}
            memoryId={each.memoryId}
            captured={captured}
            isBusy={correction.isPending}
            onCorrect={() => correction.mutate(each.memoryId)}
          />
        ))}
      </ul>
      {correction.error !== null && <ProblemNote key={memoryId} error={correction.error} />}
    </section>
  );
}

interface SimilarMemoryProps {
  readonly memoryId: string;
  readonly captured: Memory;
  readonly isBusy: boolean;
  readonly onCorrect: () => void;
}

function SimilarMemory({ memoryId, captured, isBusy, onCorrect }: SimilarMemoryProps) {
  const { mayRemove } = usePermissions();
  const { data } = useQuery({
    queryKey: ["memory", memoryId],
    queryFn: () => client.getMemory({ memoryId }),
  });
  const memory = data?.memory;
  if (memory === undefined || memory.supersededBy !== undefined) return null;
  return (
    <li className="rounded-md border border-line bg-card px-3 py-2">
      <p className="text-soft text-xs">
        <NamespaceLink name={memory.namespace} /> from <AgentLink agentId={memory.sourceAgent} />
      </p>
      <LongText className="font-serif">{memory.content}</LongText>
      {memory.namespace === captured.namespace && mayRemove(memory) && (
        <Button look="plain" className="-ml-1.5" busy={isBusy} onClick={onCorrect}>
          Correct this one instead
        </Button>
      )}
    </li>
  );
}
