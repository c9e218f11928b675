import { CodeBlock } from "#web/code/code-block.tsx";
import { RequestId } from "#web/ui/request-id.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import type { TriedReply } from "./send-try.ts";

/** The status, the headers that say something of the call, the time that it took, and the body. */
export function TryReply({ reply }: { readonly reply: TriedReply }) {
  const { status, statusText, ms, requestId, headers, text, isJson, end } = reply;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <StatusMark status={status < 400 ? "pass" : "fail"}>
          <span className="text-sm">
            {status} {statusText}
          </span>
        </StatusMark>
        <span className="text-soft text-xs">
          <Monospace>{ms}</Monospace> ms
        </span>
        {requestId !== undefined && (
          <span className="text-soft text-xs">
            <RequestId requestId={requestId} />
          </span>
        )}
      </p>
      {headers.length > 0 && (
        <dl className="flex flex-col gap-0.5 text-xs">
          {headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="font-mono text-soft">{name}</dt>
              <dd className="min-w-0 break-words font-mono">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text !== "" && <CodeBlock label="the reply" text={isJson ? pretty(text) : text} />}
      {end === "cut" && <p className="text-soft text-xs">The reply goes on. It was cut here.</p>}
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
