/** Styles of the top bar, the first page and its matrix. */
export const overviewStyle = `
.bar { display: flex; align-items: center; gap: 8px; padding: 6px 20px; border-bottom: 1px solid var(--line); background: var(--sheet); }
.brand { font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
.bar .theme { margin-left: auto; border-color: transparent; background: none; color: var(--muted); font-size: .925em; }
.bar .theme:hover { border-color: var(--edge); }
.overview { max-width: 1480px; margin: 0 auto; padding: 18px 20px 60px; }
.run-heads { display: grid; gap: 14px; } .run-heads.several { grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
.run-head { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: 14px 18px 10px; min-width: 0; }
.run-head h2 { color: var(--muted); font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
.lead { font-size: 1.6rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; padding: 2px 0 8px; } .several .lead { font-size: 1.3rem; }
.figures { display: grid; grid-template-columns: max-content minmax(3rem, 1fr) max-content; column-gap: 14px; } .figure, .figure-row { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; } .figure-row { padding: 3px 0; text-decoration: none; min-height: 26px; } a.figure-row:hover .figure-name, a.figure-row:hover .figure-count { text-decoration: underline; }
.figure-name { display: inline-flex; gap: .5em; align-items: center; white-space: nowrap; font-weight: 600; } .figure-count { white-space: nowrap; } .figure-count .muted { padding-left: .4em; }
.figure .interval { height: 14px; } .figures-key { font-size: .85em; }
.figure-exploited { --tone: var(--red); } .figure-partial { --tone: var(--amber); } .figure-resisted { --tone: var(--green); } .figure-inconclusive { --tone: var(--violet); } .figure-not_applicable { --tone: var(--muted); } .figure-utility { --tone: var(--accent); } .figure .icon { color: var(--tone); }
.interval { width: 100%; display: block; height: 14px; } .interval-all { fill: var(--sunk); } .interval-rate { fill: var(--tone, var(--red)); opacity: .55; } .interval-range { fill: none; stroke: var(--ink); stroke-width: 1.5px; vector-effect: non-scaling-stroke; }
.adaptive, .stoppers { padding-top: 6px; } .about { margin-top: 6px; } .about summary { color: var(--muted); font-size: .925em; padding: 3px 0; } .about .facts { padding: 4px 0; }
.filters { display: flex; flex-direction: column; gap: 8px; padding: 4px 0 10px; margin-top: 12px; } .filters > div { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.filters input { width: 19rem; } .filters select { max-width: 14rem; }
.toggles { display: flex; flex-wrap: wrap; }
.toggle { display: inline-flex; align-items: center; gap: .45em; border-radius: 0; margin-left: -1px; }
.toggle:first-child { border-radius: 4px 0 0 4px; margin-left: 0; } .toggle:last-child { border-radius: 0 4px 4px 0; } .toggle:only-child { border-radius: 4px; }
.toggle .count { color: var(--muted); }
.toggle[aria-pressed="true"] { background: var(--ink); color: var(--ground); border-color: var(--ink); position: relative; }
.toggle[aria-pressed="true"] .count, .toggle[aria-pressed="true"] .icon, .toggle[aria-pressed="true"] .bars { color: inherit; } .toggle[aria-pressed="true"] .off { fill: currentColor; opacity: .35; }
.toggle-exploited .icon { color: var(--red); } .toggle-partial .icon { color: var(--amber); } .toggle-resisted .icon { color: var(--green); } .toggle-inconclusive .icon { color: var(--violet); } .toggle-not_applicable .icon { color: var(--muted); }
.shown { padding-bottom: 6px; } .clear { margin-left: 1em; color: var(--accent); text-decoration: underline; }
.matrix-frame { overflow-x: auto; }
.matrix { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); }
.matrix th, .matrix td { text-align: left; padding: 6px 12px; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
.matrix thead th { color: var(--muted); font-size: .925em; border-bottom-color: var(--edge); white-space: nowrap; vertical-align: bottom; } .matrix thead .col-target { white-space: normal; overflow-wrap: anywhere; } .matrix thead .col-target bdi { vertical-align: bottom; display: -webkit-inline-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; } .matrix thead button { text-align: left; }
.matrix tbody tr:hover { background: var(--sunk); }
.matrix tbody tr:focus-within { background: var(--sunk); }
.matrix .sorted { display: inline-block; width: 1em; padding-left: .25em; }
.col-name { min-width: 16rem; }
.attack-name { font-weight: 600; text-decoration: none; display: inline-block; overflow-wrap: anywhere; } .attack-name:hover { text-decoration: underline; }
.attack-id { display: block; color: var(--muted); font-size: .85em; overflow-wrap: anywhere; }
.col-category, .col-protocol, .col-stopper { color: var(--muted); white-space: nowrap; }
.col-target { border-left: 1px solid var(--line); min-width: 10.5rem; }
.verdict { display: block; text-decoration: none; } .verdict-head { display: flex; flex-wrap: wrap; gap: 0 .7em; align-items: baseline; } .verdict:hover .result { text-decoration: underline; }
.verdict-more { display: flex; flex-wrap: wrap; gap: 0 .8em; align-items: center; color: var(--muted); font-size: .925em; }
.strip { display: inline-flex; flex-wrap: wrap; gap: 2px; max-width: 15rem; align-items: center; }
.square { width: 8px; height: 8px; border: 1.5px solid currentColor; }
.square-exploited { color: var(--red); background: currentColor; } .square-partial { color: var(--amber); background: linear-gradient(to right, currentColor 50%, transparent 50%); }
.square-resisted { color: var(--green); border-radius: 50%; } .square-inconclusive { color: var(--violet); border-style: dotted; } .square-not_applicable { color: var(--muted); border-style: dashed; }
.coverage { margin-top: 18px; } .coverage summary { font-weight: 650; padding: 4px 0; }
.table-frame { overflow-x: auto; } .coverage table { border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); margin-top: 6px; }
.coverage th, .coverage td { text-align: left; font-weight: 400; padding: 4px 12px; border-bottom: 1px solid var(--line); }
.coverage td .result { margin-right: .8em; } .coverage thead th { color: var(--muted); font-size: .925em; }
@media (max-width: 1000px) { .several-targets .col-category, .several-targets .col-protocol { display: none; } }
@media (max-width: 760px) {
  .bar { padding: 6px 12px; } .overview { padding: 10px 12px 40px; }
  .run-head { padding: 10px 12px 6px; } .lead { font-size: 1.35rem; padding-bottom: 4px; } .figures { column-gap: 9px; } .figure-row { min-height: 32px; } .figure-count .muted { padding-left: 0; }
  .filters > div { gap: 8px; } .filters input { width: 100%; min-height: 36px; font-size: 16px; } .filters select { flex: 1 1 9.5rem; min-height: 36px; min-width: 0; max-width: none; } .filters .toggles { gap: 5px; } .filters .toggle { min-height: 34px; padding: 3px 8px; border-radius: 4px; margin: 0; }
  .matrix-frame { overflow-x: visible; }
  .matrix.one-target, .matrix.one-target :is(thead, tbody) { display: block; }
  .matrix.one-target tr { display: grid; grid-template-columns: minmax(0, 1fr) max-content; padding: 8px 12px; border-bottom: 1px solid var(--line); gap: 2px 12px; }
  .matrix.one-target th, .matrix.one-target td { display: block; padding: 0; border: 0; min-width: 0; }
  .matrix.one-target tbody .col-name { grid-column: 1; } .matrix.one-target .col-target { text-align: right; } .matrix.one-target tbody .col-target { grid-column: 2; grid-row: 1 / span 2; } .matrix.one-target .verdict-more { justify-content: flex-end; } .matrix.one-target .verdict-head { flex-direction: column; align-items: flex-end; }
  .matrix.one-target thead tr { grid-template-columns: max-content max-content minmax(0, 1fr); padding: 2px 12px; } .matrix.one-target thead button { min-height: 34px; }
  .matrix.one-target tbody .col-severity { grid-column: 1; font-size: .925em; } .matrix.one-target .col-category, .matrix.one-target .col-protocol, .matrix.one-target thead .col-stopper, .matrix.one-target .not-stopped { display: none; } .matrix.one-target tbody .col-stopper { grid-column: 1; font-size: .925em; } .matrix.one-target tbody .col-stopper::before { content: 'Stopped by: '; }
  .matrix-frame:has(.several-targets) { overflow-x: auto; } .several-targets .col-category, .several-targets .col-protocol, .several-targets .col-stopper, .several-targets .col-severity { display: none; } .several-targets .col-name { min-width: 9.5rem; max-width: 9.5rem; position: sticky; left: 0; z-index: 1; background: var(--sheet); border-right: 1px solid var(--line); } .several-targets .col-target { min-width: 8.4rem; } .several-targets th, .several-targets td { padding: 6px 8px; }
}
`
