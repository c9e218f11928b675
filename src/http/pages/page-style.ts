// The style sheet of the pages without script. It is inline, and the Content-Security-Policy allows it by its hash.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --card: #fff; --ink: #1f2023; --soft: #5c5f66; --line: #e4e1d9; --code: #f3f1eb;
  --pass: #1b6b45; --fail: #a3262a; --unknown: #6b5a1e; --mark: #fbdcd8; --tint: #fdf5f3; --link: #234f8e;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --card: #1d1f23; --ink: #e8e6e1; --soft: #a2a5ac; --line: #33363c; --code: #25282d;
    --pass: #6fca9a; --fail: #f08d86; --unknown: #dcc274; --mark: #5a2a2b; --tint: #261f21; --link: #9cc0f5;
  }
}
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; }
body {
  max-width: 52rem; margin: 0 auto; padding: 1.75rem 1.5rem 5rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere; font-variant-ligatures: none;
}
a { color: var(--link); text-underline-offset: .2em; }
h1, h2, h3 { font-weight: 600; line-height: 1.2; }
h2 { margin: 3rem 0 .9rem; font: 600 1.3rem/1.2 var(--serif); }
code, pre, .compared dd { font: .85em/1.5 var(--mono); }
ol, ul { padding: 0; list-style: none; }

.symbols { position: absolute; width: 0; height: 0; }
.shape { flex: none; width: 1.15rem; height: 1.15rem; }
.shape.big { width: 4.5rem; height: 4.5rem; }
.cut, .mark, .ring, .bars { fill: none; stroke: currentColor; stroke-linecap: round; stroke-linejoin: round; stroke-width: 1.9; }
.cut { stroke: var(--cut, var(--card)); stroke-width: 2.3; }
.ring { stroke-width: 1.7; stroke-dasharray: 3.4 3; stroke-linecap: butt; }
.bars { stroke-width: 1.5; }
.verified .shape, .pass .status { color: var(--pass); }
.failed .shape, .fail .status { color: var(--fail); }
.unknown .shape, .consistent .shape, .unknown .status { color: var(--unknown); }

.brand { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.brand svg { width: 1.25rem; height: 1.25rem; }
.brand span { color: var(--soft); font-weight: 400; }
.brand span::before { content: "·"; margin-right: .5rem; }

.verdict { display: flex; align-items: center; gap: 1.5rem; padding: 3.25rem 0 2.25rem; }
h1 { font: 600 clamp(2.3rem, 8vw, 3.1rem)/1.05 var(--serif); letter-spacing: -.01em; }
.verdict { --cut: var(--paper); }
.lead { margin-top: .5rem; max-width: 38rem; color: var(--soft); font-size: 1.08rem; text-wrap: pretty; }
.id { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; padding: .8rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.id span { color: var(--soft); font-size: .9rem; }
.id + p { margin-top: 1.5rem; }

.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 2rem; padding: 1.5rem 0 0; }
.facts dt { color: var(--soft); font-size: .85rem; }
.names { display: flex; flex-wrap: wrap; gap: .3rem; padding-top: .2rem; }
.names li { padding: .05rem .55rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); font-size: .88rem; }
.names li.more { border-color: transparent; background: none; }
.names li.more, dd i { color: var(--soft); }

.says { margin: -.5rem 0 .8rem; color: var(--soft); }
.checks { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); overflow: hidden; }
.check { display: grid; grid-template-columns: 7.5rem 1fr; padding: 1.05rem 1.25rem 1.1rem; }
.check.fail { background: var(--tint); box-shadow: inset .2rem 0 var(--fail); }
.check + .check { border-top: 1px solid var(--line); }
.folded { margin-top: .9rem; }
.folded summary { color: var(--soft); cursor: pointer; }
.folded .checks { margin-top: .6rem; }
.status { display: flex; gap: .5rem; align-items: center; align-self: start; font-size: .92rem; line-height: 1.2rem; }
.status b { font-weight: 600; }
h3 { font-size: 1rem; }
h3 em { font-style: normal; color: var(--soft); }
.check p + p, .check h3 + p, .check blockquote + p { margin-top: .25rem; color: var(--soft); font-size: .94rem; text-wrap: pretty; }
.check blockquote { margin: .35rem 0 .4rem; font: 1.04rem/1.45 var(--serif); }
.compared { margin-top: .6rem; padding: .5rem .75rem; border-radius: .4rem; background: var(--code); }
.compared div { display: grid; grid-template-columns: 5rem 1fr; }
.compared dt { color: var(--soft); font-size: .82rem; line-height: 1.55; }
.compared dd { font-size: .82em; white-space: pre-wrap; unicode-bidi: isolate; }
mark { border-radius: .15rem; background: var(--mark); color: inherit; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; }

.worth { margin: 0 0 1.75rem; padding-left: 1rem; border-left: .2rem solid var(--line); max-width: 40rem; }
.find label { display: block; font-weight: 600; }
.find div { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: .4rem; }
.find input:not([type="hidden"]) { flex: 1 1 18rem; min-height: 2.75rem; padding: 0 .8rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: inherit; font: .95rem var(--mono); }
.find button { min-height: 2.75rem; padding: 0 1.4rem; border: 0; border-radius: .5rem; background: var(--ink); color: var(--paper); font: 600 1rem var(--sans); }
.found li { margin-top: .8rem; }

.repeat > p { max-width: 40rem; color: var(--soft); text-wrap: pretty; }
.repeat ol { margin-top: 1.2rem; counter-reset: step; }
.repeat li { margin-top: 1.2rem; }
.repeat li > p:first-child::before { counter-increment: step; content: counter(step) ". "; color: var(--soft); }
pre { margin-top: .4rem; padding: .7rem .9rem; border-radius: .5rem; background: var(--code); white-space: pre-wrap; }
pre code { font-size: .85em; }
.prints { margin-top: .35rem; color: var(--soft); font-size: .9rem; }
.prints code { color: var(--ink); }

@media (max-width: 34rem) {
  body { padding: 1.25rem 1.1rem 4rem; }
  .verdict { gap: 1.1rem; align-items: flex-start; padding: 2.25rem 0 1.75rem; }
  .shape.big { width: 3.4rem; height: 3.4rem; }
  .facts { grid-template-columns: 1fr; gap: .9rem; }
  .check { grid-template-columns: 1fr; gap: .45rem; padding: 1rem; }
  .compared div + div { margin-top: .4rem; }
  .compared div { grid-template-columns: 1fr; }
}
@media print {
  :root {
    --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #fff;
    --pass: #0b4f2f; --fail: #8a1216; --unknown: #4d4010; --mark: #fff; --tint: #fff; --link: #000;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .verdict { padding: 1.2rem 0; }
  .check, .repeat li { break-inside: avoid; }
  .folded::details-content { content-visibility: visible; height: auto; }
  h2, h3 { break-after: avoid; }
  .shape, mark { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  pre, .compared { border: 1px solid var(--line); }
}
`;
