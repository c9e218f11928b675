import { useMemo } from "react";
import { encode } from "uqr";

const QUIET_ZONE = 2;

export default function QrCode({ text }: { readonly text: string }) {
  // The page is rendered again after every check, and this takes longer than most checks.
  const { data, size } = useMemo(() => encode(text, { ecc: "M", border: QUIET_ZONE }), [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="qr size-36 flex-none rounded-sm bg-[#fff]"
      role="img"
      aria-label="QR code of this page’s address"
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={data.flatMap((row, y) => rowPath(row, y)).join("")} />
    </svg>
  );
}

/** Draws neighbouring modules of a row as one bar, since single modules would show hairlines between them. */
function rowPath(row: readonly boolean[], y: number): string[] {
  const bars: string[] = [];
  let x = 0;
  while (x < row.length) {
    const start = x;
    while (row[x] === true) x++;
    if (x > start) bars.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
    x++;
  }
  return bars;
}
