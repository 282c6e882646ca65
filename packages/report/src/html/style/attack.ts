/** One attack: its head, why the outcome is what it is, and the panes. */
export const attackStyle = `
.attack { display: flex; flex-direction: column; height: calc(100vh - 41px); }
.attack > .note { margin: 0 20px 8px; }
.attack-head { padding: 12px 20px 10px; max-height: 42vh; overflow-y: auto; }
.crumbs { color: var(--muted); font-size: .925em; } .crumbs b { font-weight: 600; }
.attack-title { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
.attack-title .result { font-size: 1.1rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0 14px; padding-top: 2px; color: var(--ink); font-size: .925em; } .chips li.muted { color: var(--muted); }
.attack-head .description { color: var(--muted); max-width: 90ch; padding-top: 4px; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.jump { display: none; margin-top: 8px; }
.trials { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; padding-top: 8px; }
.trial { display: inline-flex; gap: .35em; align-items: center; padding: 2px 8px; border: 1px solid var(--line); border-radius: 4px; text-decoration: none; background: var(--sheet); min-height: 26px; }
.trial[aria-current] { border-color: var(--ink); box-shadow: inset 0 -2px 0 var(--ink); font-weight: 650; }
.trial-exploited .icon { color: var(--red); } .trial-partial .icon { color: var(--amber); } .trial-resisted .icon { color: var(--green); } .trial-inconclusive .icon { color: var(--violet); } .trial-not_applicable .icon { color: var(--muted); }
.reasons { margin: .4em 0; padding-left: 1.2em; color: var(--violet); overflow-wrap: anywhere; } .exposure { margin: .4em 0; color: var(--muted); overflow-wrap: anywhere; }
.attack-body { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(300px, 380px) minmax(0, 1fr); border-top: 1px solid var(--line); }
.attack-body.with-message { grid-template-columns: minmax(260px, 320px) minmax(0, 1fr) minmax(340px, 32vw); }
.why { overflow-y: auto; border-right: 1px solid var(--line); padding-bottom: 24px; }
.block { padding: 12px 16px 12px 20px; border-bottom: 1px solid var(--line); } .block:last-child { border-bottom: 0; }
.block > h2 { padding-bottom: 6px; color: var(--muted); font-size: .925em; font-weight: 600; }
.indicator { padding: 8px 0 10px; border-top: 1px solid var(--line); } .indicator:first-of-type { border-top: 0; padding-top: 0; }
.indicator > header { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; } .indicator .id { overflow-wrap: anywhere; }
.indicator .description, .looked-for, .reason { color: var(--muted); } .looked-for { font-size: .925em; } .looked-for code { color: var(--ink); }
.task-result { white-space: normal; margin-bottom: 6px; } .task-result > span { min-width: 0; overflow-wrap: anywhere; } .task-done { color: var(--accent); } .task-partly { color: var(--amber); } .task-open { color: var(--muted); } .task-unknown { color: var(--violet); }
.funnel { display: flex; flex-direction: column; margin: 6px 0; border-left: 2px solid var(--line); padding-left: 8px; font-size: .925em; }
.step { display: flex; justify-content: space-between; gap: 10px; } .step-name { color: var(--muted); min-width: 0; overflow-wrap: anywhere; } .step-name code { color: var(--ink); } .step-empty b { color: var(--red); } .step-empty b::after { content: " left"; font-weight: 400; }
.path { overflow-wrap: anywhere; color: var(--muted); }
.evidence { margin: 6px 0; padding: 6px 8px; background: var(--sunk); overflow-wrap: anywhere; white-space: pre-wrap; font-size: .95em; } .evidence-code { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
.open-message { margin: 2px 0 6px; }
.indicator details { margin-top: 4px; } .indicator summary { color: var(--muted); font-size: .925em; }
.resolved li { display: flex; gap: 10px; padding: 3px 0; font-size: .925em; } .resolved li > div { min-width: 0; overflow-wrap: anywhere; } .resolved button { color: var(--accent); }
.findings .finding { display: flex; gap: 8px; padding: 3px 0; } .finding > div { min-width: 0; overflow-wrap: anywhere; } .finding .icon { position: relative; top: .2em; } .finding-error .icon { color: var(--red); } .finding-warning .icon { color: var(--amber); } .finding-head { color: var(--muted); font-size: .925em; }
.actor { padding: 2px 0 6px; } .phases li { padding-left: 2px; } .swatch { display: inline-block; width: 9px; height: 9px; margin-right: 7px; border: 1px solid; vertical-align: -1px; }
.plain-list li { padding: 1px 0; overflow-wrap: anywhere; }
.statistics .rate b { font-size: 1.3rem; } .interval { width: 100%; height: 14px; display: block; margin: 4px 0 2px; } .interval-all { fill: var(--line); } .interval-range { fill: var(--edge); } .interval-rate { fill: var(--red); } .utility .interval-rate { fill: var(--accent); }
@media (max-width: 1180px) { .attack-body.with-message { grid-template-columns: minmax(0, 1fr) minmax(340px, 44vw); } .with-message .why { display: none; } }
@media (max-width: 900px) {
  .attack { height: auto; } .attack-head { padding: 10px 12px; max-height: none; } .attack > .note { margin: 0 12px 8px; }
  .attack-body, .attack-body.with-message { display: block; } .with-message .why { display: block; }
  .why { overflow: visible; border-right: 0; padding-bottom: 0; } .block { padding: 10px 12px; } .block:last-child { border-bottom: 1px solid var(--line); }
  .trial, .open-message { min-height: 34px; } .jump { display: inline-block; min-height: 34px; }
}
`
