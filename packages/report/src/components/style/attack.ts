/** Styles of the attack page: the header, the course of the trial, and the panes. */
export const attackStyle = `
.attack { display: flex; flex-direction: column; height: calc(100vh - 41px); }
.attack > .note { margin: 0 20px 8px; }
.attack-head { padding: 12px 20px 10px; max-height: 42vh; overflow-y: auto; }
.crumbs { color: var(--muted); font-size: .925em; } .crumbs b { font-weight: 600; }
.attack-title { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; } .attack-outcome { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; min-width: 0; }
.attack-title h1 { min-width: 0; overflow-wrap: anywhere; } .attack-title .result { font-size: 1.1rem; } .attack-outcome .reasons { overflow-wrap: anywhere; }
.chips { display: flex; flex-wrap: wrap; gap: 0 14px; padding-top: 2px; color: var(--ink); font-size: .925em; } .chips li.muted { color: var(--muted); }
.attack-head .description { color: var(--muted); max-width: 130ch; padding-top: 4px; overflow-wrap: anywhere; }
.trials { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; padding-top: 8px; }
.trial { display: inline-flex; gap: .35em; align-items: center; padding: 2px 8px; border: 1px solid var(--line); border-radius: 4px; text-decoration: none; background: var(--sheet); min-height: 26px; }
.trial[aria-current] { border-color: var(--ink); box-shadow: inset 0 -2px 0 var(--ink); font-weight: 650; }
.trial-exploited .icon { color: var(--red); } .trial-partial .icon { color: var(--amber); } .trial-resisted .icon { color: var(--green); } .trial-inconclusive .icon { color: var(--violet); } .trial-not_applicable .icon { color: var(--muted); }
.jump { display: none; }
.exposure { margin-bottom: .4em; overflow-wrap: anywhere; } .planted li { display: flex; gap: .5em; align-items: baseline; font-size: .925em; } .planted .icon { position: relative; top: .13em; color: var(--muted); } .planted .icon-matched { color: var(--amber); }
.said { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunk); border-left: 3px solid var(--edge); padding: 8px 10px; max-height: 22rem; overflow-y: auto; }
.command { display: flex; gap: 8px; align-items: flex-start; } .command code { flex: 1; min-width: 0; background: var(--sunk); padding: 5px 8px; overflow-wrap: anywhere; user-select: all; }
.restraints { list-style: disc; padding-left: 1.2em; }
.link { color: var(--accent); text-decoration: underline; }
.why-alone { max-width: 60rem; }
.pane { display: flex; flex-direction: column; min-width: 0; min-height: 0; background: var(--sheet); }
.pane-tabs { display: flex; gap: 2px; padding: 6px 16px 0; border-bottom: 1px solid var(--line); } .pane-tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; color: var(--muted); font-weight: 600; padding: 3px 10px 5px; } .pane-tabs button[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--accent); }
.pair { flex: 1; min-height: 0; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); } .pair > section { display: flex; flex-direction: column; min-width: 0; min-height: 0; } .pair > section + section { border-left: 1px solid var(--line); } .pair h2 { padding: 8px 16px; font-size: 1em; } .pair .legend { display: none; } .pair .lane-head, .pair .row { grid-template-columns: 52px 30px minmax(calc(var(--lanes) * 64px), 1fr); } .pair .row-message .time { font-size: 0; } .pair .row-message .time .number { font-size: 11px; } .pair .row-phase .time { visibility: hidden; }
.document { flex: 1; min-height: 0; overflow: auto; position: relative; padding: 8px 0; font-size: .95em; } .document li { display: grid; grid-template-columns: 4.5ch minmax(0, 1fr) auto; gap: 12px; padding: 0 12px; } .document code { white-space: pre-wrap; overflow-wrap: anywhere; } .line-number { text-align: right; color: var(--muted); user-select: none; font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: .85em; } .line-marked { background: var(--mark); color: var(--mark-ink); } .line-marked .line-number { color: inherit; } .line-current { box-shadow: inset 3px 0 0 var(--accent); } .line-note { font-size: .85em; font-weight: 600; white-space: nowrap; }
.cut-notes { padding: 0 20px; }
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
.call-parts { max-height: 26rem; overflow-y: auto; background: var(--sunk); padding: 2px 10px; } .call-part { padding: 6px 0; border-top: 1px solid var(--line); font-size: .925em; } .call-part:first-child { border-top: 0; } .call-part .quote { white-space: pre-wrap; overflow-wrap: anywhere; } .call-role { color: var(--muted); font-weight: 600; } .with-bait { box-shadow: -10px 0 0 var(--sunk), -13px 0 0 var(--amber); }
.open-message { margin: 2px 0 6px; }
.indicator details { margin-top: 4px; } .indicator summary { color: var(--muted); font-size: .925em; }
.resolved li { display: flex; gap: 10px; padding: 3px 0; font-size: .925em; } .resolved li > div { min-width: 0; overflow-wrap: anywhere; } .resolved button { color: var(--accent); }
.findings .finding { display: flex; gap: 8px; padding: 3px 0; } .finding > div { min-width: 0; overflow-wrap: anywhere; } .finding .icon { position: relative; top: .2em; } .finding-error .icon { color: var(--red); } .finding-warning .icon { color: var(--amber); } .finding-head { color: var(--muted); font-size: .925em; }
.actor { padding: 2px 0 6px; } .phases li { padding-left: 2px; } .swatch { display: inline-block; width: 9px; height: 9px; margin-right: 7px; border: 1px solid; vertical-align: -1px; }
.plain-list li { padding: 1px 0; overflow-wrap: anywhere; } .flow-ends { display: block; color: var(--muted); font-size: .925em; } .data-flows li { padding: 3px 0; }
.statistics .rate b { font-size: 1.3rem; } .statistics .interval { margin: 4px 0 2px; } .utility { --tone: var(--accent); }
@media (max-width: 1180px) { .attack-body.with-message { grid-template-columns: minmax(0, 1fr) minmax(340px, 44vw); } .with-message .why { display: none; } }
@media (max-width: 900px) {
  .attack { height: auto; } .attack-head { padding: 10px 12px; max-height: none; } .attack > .note { margin: 0 12px 8px; }
  .attack-body, .attack-body.with-message { display: block; } .with-message .why { display: block; }
  .pair { display: block; } .pair .lane-head, .pair .row { grid-template-columns: 38px 20px minmax(0, 1fr); }
  .why { overflow: visible; border-right: 0; padding-bottom: 0; } .block { padding: 10px 12px; } .block:last-child { border-bottom: 1px solid var(--line); }
  .trial, .open-message { min-height: 34px; } .jump { display: inline-block; min-height: 36px; margin: 10px 12px 0; } .pane-tabs { padding: 6px 12px 0; } .pane-tabs button { min-height: 36px; } .document { max-height: 80vh; } .document li { grid-template-columns: 3.5ch minmax(0, 1fr); padding: 0 8px; gap: 8px; } .line-note { grid-column: 2; }
}
@media print {
  .bar, .filters, .sequence-tools input, .pane-tabs, .jump, .clear, .open-message, .foot, .attack button:not(.link), .attack search, .overview button { display: none; }
  .attack { height: auto; } .attack-body, .attack-body.with-message, .pair { display: block; } .why, .pane, .sequence, .sequence-pane { overflow: visible; height: auto; max-height: none; } .block, .row-message { break-inside: avoid; }
}
`
