import type { PromptMemory } from "#web/answers/withdrawal.ts";
import { classNames } from "#web/lib/class-names.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";

interface MemoryCardProps {
  readonly memory: PromptMemory;
  readonly isWithdrawn: boolean;
}

/** A memory in the prompt, as much of it as a small card holds. */
export function MemoryCard({ memory, isWithdrawn }: MemoryCardProps) {
  const { memoryId, namespace, content } = memory;
  return (
    <li
      data-card={memoryId}
      data-namespace={namespace}
      className={classNames(
        "min-w-0 overflow-hidden rounded-md border px-2.5 py-1.5",
        isWithdrawn ? "withdrawn border-iron border-dashed bg-transparent" : "border-line bg-card shadow-lift",
      )}
    >
      <p className={classNames("flex items-baseline gap-1.5 text-xs", isWithdrawn ? "text-iron" : "text-pass")}>
        <Name className="truncate font-medium">{namespace}</Name>
        {isWithdrawn && <span className="flex-none">withdrawn</span>}
      </p>
      <p
        dir="auto"
        className={classNames(
          "untrusted line-clamp-2 font-serif text-[0.9375rem] leading-[1.25]",
          isWithdrawn && "text-soft line-through decoration-iron",
        )}
      >
        {content}
      </p>
    </li>
  );
}
