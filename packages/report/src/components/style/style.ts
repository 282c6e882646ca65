/** The report's style sheet. Text has a contrast of at least 4.5:1 in both themes. */
import { attackStyle } from './attack.ts'
import { overviewStyle } from './overview.ts'
import { sequenceStyle } from './sequence.ts'

const light = `
  --ground: #fafaf8; --sheet: #ffffff; --sunk: #f3f3f0; --ink: #1b1d20; --muted: #5c636d; --line: #e0e0dc; --edge: #c3c4c1;
  --accent: #1f56b8; --red: #ab1d16; --amber: #855400; --green: #1b6636; --violet: #5d3fa3;
  --red-ground: #fdf0ee; --amber-ground: #fdf6e6; --mark: #ffe07a; --mark-ink: #231b00; --band-0: #eef3fb; --band-1: #fbf1de; --band-2: #eef6ec;
  --band-line-0: #9db6de; --band-line-1: #d9b566; --band-line-2: #99c49a;`
const dark = `
  --ground: #121315; --sheet: #191b1e; --sunk: #212428; --ink: #e5e6e8; --muted: #9aa1ac; --line: #2b2f34; --edge: #454a52;
  --accent: #8db6ff; --red: #ff8d82; --amber: #e9b658; --green: #82d09d; --violet: #c2a8ff;
  --red-ground: #2c1b1b; --amber-ground: #2a2416; --mark: #6b5300; --mark-ink: #fff3cd; --band-0: #1b2433; --band-1: #2d2617; --band-2: #1a2a1d;
  --band-line-0: #4a6699; --band-line-1: #8a6d2c; --band-line-2: #4b7d4f;`

const themeStyle = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${dark} } }
:root[data-theme="dark"] { color-scheme: dark; ${dark} }
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
html { font: 13.5px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.45rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.012em; }
h2 { font-size: 1rem; font-weight: 650; }
code, pre, .json, .number, .time, .attack-id, .id { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .925em; }
bdi, code, dd, dt, b, p, h1, h2, li, td, th, .quote, .json-line > * { unicode-bidi: isolate; }
a { color: inherit; text-decoration-color: var(--edge); text-underline-offset: 2px; }
a:hover { text-decoration-color: currentColor; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 2px; }
h1:focus-visible, .message:focus-visible { outline: none; }
button, select, input { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: 4px; padding: 3px 9px; min-height: 28px; }
button { cursor: pointer; }
button:hover, select:hover { border-color: var(--muted); }
button.plain { border: 0; background: none; padding: 0; min-height: 0; }
input[type="search"] { min-width: 0; }
input::placeholder { color: var(--muted); opacity: 1; }
summary { cursor: pointer; }
mark { background: var(--mark); color: var(--mark-ink); border-bottom: 2px solid currentColor; padding: 0 1px; }
.muted { color: var(--muted); }
.icon { width: 1em; height: 1em; fill: currentColor; flex: none; vertical-align: -.13em; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.hidden-character { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: .86em; color: var(--violet); border: 1px dashed currentColor; border-radius: 3px; padding: 0 2px; unicode-bidi: isolate; direction: ltr; }
.result { display: inline-flex; align-items: baseline; gap: .4em; font-weight: 600; white-space: nowrap; }
.result > .icon { position: relative; top: .13em; }
.result-exploited { color: var(--red); } .result-partial { color: var(--amber); } .result-resisted { color: var(--green); } .result-inconclusive, .result-error { color: var(--violet); } .result-not_applicable { color: var(--muted); }
.result-matched { color: var(--red); } .result-not_matched, .result-skipped { color: var(--muted); }
.severity { display: inline-flex; align-items: center; gap: .45em; white-space: nowrap; }
.bars { width: 15px; height: 12px; flex: none; } .bars .on { fill: currentColor; } .bars .off { fill: var(--line); }
.severity-critical .bars, .severity-high .bars { color: var(--red); } .severity-medium .bars { color: var(--amber); } .severity-low .bars, .severity-informational .bars { color: var(--muted); }
.tier { font-size: .925em; color: var(--muted); white-space: nowrap; }
.note { display: flex; gap: .5em; align-items: baseline; margin: 8px 0; padding: 6px 10px; background: var(--sunk); border-left: 3px solid var(--amber); }
.note .icon { color: var(--amber); position: relative; top: .12em; }
.note-error { border-color: var(--red); }
.facts > div { display: flex; gap: .7em; padding: 1px 0; }
.facts dt { color: var(--muted); min-width: 5.5em; flex: none; }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.facts-row { display: flex; flex-wrap: wrap; gap: 0 1.6em; }
.facts-row dt { min-width: 0; }
`

export const reportStyle = [themeStyle, overviewStyle, attackStyle, sequenceStyle].join('')
