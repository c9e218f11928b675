// An address as a QR code: one path, dark on white whatever the theme, since that is what cameras read.
import { encode } from "uqr";

const QUIET_ZONE = 2;

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="qr size-36 flex-none rounded-sm bg-[#fff]"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={data.flatMap((row, y) => rowPath(row, y)).join("")} />
    </svg>
  );
}

/** Neighbours in a row are drawn as one bar: modules drawn one by one show hairlines between them. */
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
