// A gate: an arch with a grille. A raised grille is open, a lowered one closed; the colour says the same again.
import { classNames } from "#web/lib/strings.ts";

const ARCH = "M4 42V20a16 16 0 0 1 32 0v22z";

interface GateIconProps {
  readonly open: boolean;
  readonly className?: string;
  /** Drawn for a large size: with its stones, and without a ground line, since large gates share one. */
  readonly large?: boolean;
}

/** Decorative: the text beside it must say the state too. `GateIconShapes` must be in the page. */
export function GateIcon({ open, className = "size-6", large = false }: GateIconProps) {
  const { grille, arch, stroke } = large ? LARGE : SMALL;
  return (
    <svg
      viewBox={large ? "-2 -2 44 44" : "0 0 40 44"}
      className={classNames("gate flex-none", open ? "text-pass" : "text-iron", className)}
      data-open={open}
      stroke="currentColor"
      strokeWidth={stroke}
      aria-hidden="true"
    >
      {large && <path d={STONES} fill="none" className="stroke-edge" strokeWidth="0.9" />}
      <path d={ARCH} className={open ? "fill-pass-wash" : "fill-iron-wash"} stroke="none" />
      <g clipPath={`url(#${CLIP})`}>
        <path d={grille} fill="currentColor" className="gate-grille" />
      </g>
      <path d={arch} fill="none" strokeLinejoin="round" />
    </svg>
  );
}

/** The same small gate in one path, without a clip: a table has hundreds, and most of them stay as they are. */
export const StillGateIcon = ({ open, className = "size-6" }: Omit<GateIconProps, "large">) => (
  <svg
    viewBox="0 0 40 44"
    className={classNames("flex-none", open ? "fill-pass-wash text-pass" : "fill-iron-wash text-iron", className)}
    stroke="currentColor"
    strokeWidth={SMALL.stroke}
    aria-hidden="true"
  >
    <path d={open ? STILL.open : STILL.closed} />
  </svg>
);

const CLIP = "gate-arch";

/** What all gates of a page share, because a table has hundreds of them. */
export const GateIconShapes = () => (
  <svg className="absolute size-0" aria-hidden="true">
    <clipPath id={CLIP}>
      <path d={ARCH} />
    </clipPath>
  </svg>
);

const POSTS = "M4 42V20a16 16 0 0 1 32 0v22";
/** An outer arch and the joints between it and the inner one. */
const STONES =
  "M-.6 42V20a20.6 20.6 0 0 1 41.2 0v22M20 4V-.6M12 6.1 9.7 2.2M28 6.1l2.3-3.9M6.1 12 2.2 9.7M33.9 12l3.9-2.3M4 20H-.6M36 20h4.6M4 31H-.6M36 31h4.6";

/** The bars and cross-bars of the grille, and its points, which are filled. */
const SMALL = {
  grille:
    "M12-20v58M20-20v58M28-20v58M2-10h36M2 3h36M2 16h36M2 29h36M10.4 37h3.2L12 41zM18.4 37h3.2L20 41zM26.4 37h3.2L28 41z",
  arch: `${ARCH}M0 42.4h40`,
  stroke: 2.6,
} as const;
/** The arch with what is left of the grille inside of it. */
const STILL = {
  open: `${SMALL.arch}M12 6v5M20 4v7M28 6v5M10.4 10h3.2L12 14zM18.4 10h3.2L20 14zM26.4 10h3.2L28 14z`,
  closed: `${SMALL.arch}M12 6v32M20 4v34M28 6v32M4.5 16h31M4 29h32M10.4 37h3.2L12 41zM18.4 37h3.2L20 41zM26.4 37h3.2L28 41z`,
} as const;
const LARGE = {
  grille:
    "M9-24v60M14.5-24v60M20-24v60M25.5-24v60M31-24v60M2-20h36M2-11.5h36M2-3h36M2 5.5h36M2 14h36M2 22.5h36M2 31h36M7.9 35.6h2.2L9 40zM13.4 35.6h2.2L14.5 40zM18.9 35.6h2.2L20 40zM24.4 35.6h2.2L25.5 40zM29.9 35.6h2.2L31 40z",
  arch: POSTS,
  stroke: 1.5,
} as const;
