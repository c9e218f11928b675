/** A time in the reader's time zone, with the exact time in the title. */
export function Timestamp({ at }: { readonly at: string | number }) {
  const date = new Date(at);
  const iso = Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  if (iso === undefined) return <span>{String(at)}</span>;
  return (
    <time dateTime={iso} title={iso} className="font-mono text-[0.86em]">
      {date.toLocaleDateString() === new Date().toLocaleDateString() ? TIME.format(date) : DAY_AND_TIME.format(date)}
    </time>
  );
}

const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
