/** The bar, the first page and its matrix. */
export const overviewStyle = `
.bar { display: flex; align-items: center; gap: 8px; padding: 6px 20px; border-bottom: 1px solid var(--line); background: var(--sheet); }
.brand { font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
.bar .theme { margin-left: auto; border-color: transparent; background: none; color: var(--muted); font-size: .925em; }
.bar .theme:hover { border-color: var(--edge); }
.overview { max-width: 1480px; margin: 0 auto; padding: 18px 20px 60px; }
.run-head { margin-bottom: 12px; }
.run-head h2 { font-size: 1.45rem; letter-spacing: -0.012em; line-height: 1.3; } .run-head + .run-head h2, .run-head:has(+ .run-head) h2 { font-size: 1.15rem; }
.filters { display: flex; flex-direction: column; gap: 8px; padding: 12px 0 10px; border-top: 1px solid var(--line); margin-top: 14px; } .filters > div { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.filters input { width: 19rem; } .filters select { max-width: 14rem; }
.toggles { display: flex; flex-wrap: wrap; }
.toggle { display: inline-flex; align-items: center; gap: .45em; border-radius: 0; margin-left: -1px; }
.toggle:first-child { border-radius: 4px 0 0 4px; margin-left: 0; } .toggle:last-child { border-radius: 0 4px 4px 0; } .toggle:only-child { border-radius: 4px; }
.toggle .count { color: var(--muted); }
.toggle[aria-pressed="true"] { background: var(--ink); color: var(--ground); border-color: var(--ink); position: relative; }
.toggle[aria-pressed="true"] .count, .toggle[aria-pressed="true"] .icon, .toggle[aria-pressed="true"] .bars { color: inherit; } .toggle[aria-pressed="true"] .off { fill: currentColor; opacity: .35; }
.toggle-exploited .icon { color: var(--red); } .toggle-partial .icon { color: var(--amber); } .toggle-resisted .icon { color: var(--green); } .toggle-inconclusive .icon { color: var(--violet); } .toggle-not_applicable .icon { color: var(--muted); }
.shown { padding-bottom: 6px; }
.matrix-frame { overflow-x: auto; }
.matrix { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); }
.matrix th, .matrix td { text-align: left; padding: 6px 12px; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
.matrix thead th { color: var(--muted); font-size: .925em; border-bottom-color: var(--edge); white-space: nowrap; }
.matrix tbody tr:hover { background: var(--sunk); }
.matrix tbody tr:focus-within { background: var(--sunk); }
.matrix .sorted { display: inline-block; width: 1em; padding-left: .25em; }
.col-name { min-width: 16rem; }
.attack-name { font-weight: 600; text-decoration: none; display: inline-block; } .attack-name:hover { text-decoration: underline; }
.attack-id { display: block; color: var(--muted); font-size: .85em; }
.col-category, .protocols { color: var(--muted); white-space: nowrap; }
.col-target { border-left: 1px solid var(--line); min-width: 10.5rem; }
.verdict { display: block; text-decoration: none; } .verdict-head { display: flex; flex-wrap: wrap; gap: 0 .7em; align-items: baseline; } .verdict:hover .result { text-decoration: underline; }
.verdict-more { display: flex; flex-wrap: wrap; gap: 0 .8em; align-items: center; color: var(--muted); font-size: .925em; }
.strip { display: inline-flex; flex-wrap: wrap; gap: 2px; max-width: 15rem; align-items: center; }
.square { width: 8px; height: 8px; border: 1.5px solid currentColor; }
.square-exploited { color: var(--red); background: currentColor; } .square-partial { color: var(--amber); background: linear-gradient(to right, currentColor 50%, transparent 50%); }
.square-resisted { color: var(--green); border-radius: 50%; } .square-inconclusive { color: var(--violet); border-style: dotted; } .square-not_applicable { color: var(--muted); border-style: dashed; }
.coverage { margin-top: 18px; } .coverage summary { font-weight: 650; padding: 4px 0; }
.coverage table { border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); margin-top: 6px; }
.coverage th, .coverage td { text-align: left; font-weight: 400; padding: 4px 12px; border-bottom: 1px solid var(--line); }
.coverage td .result { margin-right: .8em; } .coverage thead th { color: var(--muted); font-size: .925em; }
@media (max-width: 760px) {
  .bar { padding: 6px 12px; } .overview { padding: 12px 12px 40px; }
  .filters > div { gap: 8px; } .filters input { width: 100%; min-height: 36px; font-size: 16px; } .filters select { flex: 1 1 7.5rem; min-height: 36px; min-width: 0; max-width: none; } .filters .toggles { gap: 5px; } .filters .toggle { min-height: 34px; padding: 3px 8px; border-radius: 4px; margin: 0; }
  .matrix-frame { overflow-x: visible; }
  .matrix.one-target, .matrix.one-target tbody { display: block; } .matrix.one-target thead { display: none; }
  .matrix.one-target tr { display: grid; grid-template-columns: 1fr auto; padding: 8px 12px; border-bottom: 1px solid var(--line); gap: 2px 12px; }
  .matrix.one-target th, .matrix.one-target td { display: block; padding: 0; border: 0; min-width: 0; }
  .matrix.one-target .col-name { grid-column: 1; } .matrix.one-target .col-target { grid-column: 2; grid-row: 1 / span 2; text-align: right; } .matrix.one-target .verdict-more, .matrix.one-target .verdict-head { justify-content: flex-end; } .matrix.one-target .verdict-head .tier { flex-basis: 100%; }
  .matrix.one-target .col-severity { grid-column: 1; font-size: .925em; } .matrix.one-target .col-category, .matrix.one-target .protocols { display: none; }
  .matrix-frame:has(.several-targets) { overflow-x: auto; } .several-targets .col-category, .several-targets .protocols, .several-targets .col-severity { display: none; } .several-targets .col-name { min-width: 9.5rem; max-width: 9.5rem; position: sticky; left: 0; z-index: 1; background: var(--sheet); border-right: 1px solid var(--line); } .several-targets .col-target { min-width: 8.4rem; } .several-targets th, .several-targets td { padding: 6px 8px; }
}
`
