/** The style sheet of a report: one column, quiet, light and dark, on paper too. Nothing is fetched. */
export const STYLE = `
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1e21; --soft: #5b626b; --line: #d9dde2; --wash: #f5f6f8; --good: #12703f; --warn: #8a4b00;
  --c1: #0b6bb5; --c2: #c8500a; --c3: #0a8563; --c4: #a8458a; --c5: #8a6d00; --c6: #2f8fb8; --c7: #6a4fb3; --c8: #6b7078; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #15181c; --ink: #e7e9ec; --soft: #a3abb5; --line: #363c44; --wash: #1e2228; --good: #6fd39b; --warn: #f0b266;
  --c1: #62b0f0; --c2: #ff9a5c; --c3: #4fd0a8; --c4: #e79bd0; --c5: #e3c558; --c6: #7fd3f2; --c7: #b7a3f5; --c8: #aab1ba; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
nav ol { list-style: none; margin: 1rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .9rem; }
nav a { display: inline-block; padding: .25rem 0; color: var(--c1); text-decoration: none; }
nav a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--c1); outline-offset: 2px; }
@media (min-width: 72rem) {
  body { max-width: 78rem; display: grid; grid-template-columns: 12rem minmax(0, 1fr); column-gap: 3rem; align-items: start; }
  header, footer { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.6rem 0; }
  nav ol { display: block; margin: 0; }
  nav li { border-left: 2px solid var(--line); padding-left: .8rem; }
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
.lead { color: var(--soft); font-size: 1.05rem; }
.note { color: var(--soft); font-size: .9rem; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
section[aria-labelledby="facts"] td:last-child { overflow-wrap: anywhere; }
pre { background: var(--wash); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.8rem, 1fr)); gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.tiles li { background: var(--wash); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem; }
.tiles b { display: block; font-size: 1.35rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: .875rem; display: block; }
.verdict { border-left: 4px solid var(--c1); background: var(--wash); padding: .8rem 1rem; border-radius: 0 8px 8px 0; max-width: none; }
.warning { border-left-color: var(--warn); }
figure { margin: 1rem 0; min-width: 0; }
figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .3rem; }
figure svg { max-width: 100%; height: auto; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .2rem 0 .4rem; padding: 0; font-size: .875rem; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend svg { flex: none; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: .5rem 2rem; align-items: start; }
.pair > * { min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0; }
caption { text-align: left; color: var(--soft); font-size: .875rem; padding-bottom: .3rem; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; }
[aria-labelledby="facts"] tbody th { white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details { margin: .3rem 0 1rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; color: var(--soft); font-size: .875rem; }
@media print {
  body { display: block; max-width: none; padding: 0; font-size: 11pt; }
  nav, details:not([open]) { display: none; }
  h2, h3, figcaption, caption { break-after: avoid; }
  figure, tr, .tiles { break-inside: avoid; }
  thead { display: table-header-group; }
}
`
