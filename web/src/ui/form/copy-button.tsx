import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the accessible name: "link". */
  readonly what: string;
  readonly look?: "quiet" | "plain";
  readonly className?: string;
}

/** Shows that the text was copied until the button loses the focus. */
export function CopyButton({ text, what, look = "plain", className = "" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <Button
      look={look}
      className={`flex-none no-underline ${className}`}
      aria-label={`Copy ${what}`}
      onBlur={() => setCopied(false)}
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
    >
      <Icon className="size-4" aria-hidden="true" />
      {look === "plain" ? "Copy" : `Copy ${what}`}
      <span role="status" className="sr-only">
        {copied ? `Copied ${what}.` : ""}
      </span>
    </Button>
  );
}
