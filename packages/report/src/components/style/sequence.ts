/** Styles of the sequence diagram and the message panel. `sequence.tsx` contains the same row height. */
export const sequenceStyle = `
.sequence { flex: 1; display: flex; flex-direction: column; min-width: 0; min-height: 0; background: var(--sheet); }
.sequence-tools { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 16px; border-bottom: 1px solid var(--line); }
.sequence-tools input { width: 13rem; }
.legend { margin-left: auto; display: inline-flex; align-items: center; gap: .5em; color: var(--muted); font-size: .925em; } .legend i { width: 22px; border-top: 1.5px solid currentColor; margin-left: .6em; } .legend .legend-response { border-top-style: dashed; } .legend .legend-flow { border-top: 4px solid var(--violet); }
.sequence-pane { flex: 1; min-height: 0; overflow: auto; position: relative; }
.lane-head { position: sticky; top: 0; z-index: 3; background: var(--sheet); border-bottom: 1px solid var(--edge); }
.lane-head, .row { display: grid; grid-template-columns: 88px 56px minmax(calc(var(--lanes) * 64px), 1fr); }
.lanes { position: relative; display: grid; grid-template-columns: repeat(var(--lanes), minmax(0, 1fr)); }
.lane-name { text-align: center; padding: 6px 4px 5px; line-height: 1.25; min-width: 0; overflow: hidden; } .lane-name > * { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .lane-name .muted { font-size: .85em; }
.lane-phase { display: block; width: fit-content; max-width: 100%; margin: 3px auto 0; padding: 0 6px; font-size: .85em; border: 1px solid; border-radius: 3px; } .lane-phase:empty { border-color: transparent; height: 1.6em; }
.virtual { position: relative; } .virtual:focus-visible { outline: none; } .virtual:focus-visible .row[aria-selected="true"] { outline: 2px solid var(--accent); outline-offset: -2px; }
.row { position: absolute; left: 0; right: 0; height: 36px; } .row-message { cursor: pointer; }
.row-message:hover { background: var(--sunk); } .row[aria-selected="true"] { background: var(--sunk); box-shadow: inset 3px 0 0 var(--accent); }
.row-flow .arrow { color: var(--violet); }
.row-evidence, .row-evidence[aria-selected="true"] { background: var(--red-ground); } .row-evidence .arrow { color: var(--red); }
.row .time { color: var(--muted); font-size: .8em; line-height: 36px; padding-left: 16px; white-space: nowrap; overflow: hidden; } .row .time .number { display: inline-block; min-width: 3.2ch; padding-right: 1ch; color: var(--ink); font-size: inherit; }
.row-bait, .row-bait[aria-selected="true"] { background: var(--amber-ground); } .row-fold-form .arrow { color: var(--edge); } .row-fold-form .arrow-text, .row-fold-form .arrow-text b { color: var(--muted); font-weight: 400; } .row-folded .arrow-text { opacity: .85; } .fold-sign { display: inline-block; padding: 0 5px; margin-right: 5px; border: 1px solid var(--edge); border-radius: 3px; font-size: .85em; line-height: 15px; color: var(--muted); background: var(--sheet); pointer-events: auto; }
.row-phase .time { padding-left: calc(16px + 3.9ch); }
.signs { display: flex; align-items: center; gap: 3px; justify-content: flex-end; padding-right: 8px; } .sign-evidence { color: var(--red); } .sign-bait { color: var(--amber); } .sign-flow { color: var(--violet); } .sign-trigger { color: var(--accent); } .sign-warning { color: var(--amber); }
.lane { position: relative; } .lane::after { content: ""; position: absolute; left: 50%; top: 0; bottom: 0; border-left: 1px solid var(--edge); } .lane-agent::after { border-left-width: 3px; margin-left: -1px; border-color: var(--muted); }
.flow-above::before, .flow-below::before { content: ""; position: absolute; z-index: 1; left: 50%; margin-left: -3px; border-left: 6px solid var(--violet); top: 26px; bottom: 0; } .flow-above::before { top: 0; bottom: 10px; } .flow-above.flow-below::before { bottom: 0; }
.lane-band::before { content: ""; position: absolute; inset: 0 calc(50% - min(36px, 40%)); border: 0 solid; border-width: 0 1px; }
.lane-begins::before { border-top-width: 1px; top: 50%; }
.lane-band-0, .lane-band-0::before { background: var(--band-0); border-color: var(--band-line-0); } .lane-band-1, .lane-band-1::before { background: var(--band-1); border-color: var(--band-line-1); } .lane-band-2, .lane-band-2::before { background: var(--band-2); border-color: var(--band-line-2); }
.lane.lane-band { background: none; } .lane-band-1.lane::before { border-style: dashed; } .lane-band-2.lane::before { border-style: double; border-left-width: 3px; border-right-width: 3px; } .lane-begins.lane::before { border-top-width: 1px; }
.arrow { position: absolute; top: 0; height: 36px; z-index: 1; pointer-events: none; }
.arrow-text { position: absolute; left: 8px; right: 8px; top: 4px; text-align: center; font-size: .875em; line-height: 18px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--muted); } .arrow-text b { color: var(--ink); font-weight: 600; } .row-evidence .arrow-text b { color: var(--red); }
.arrow-line { position: absolute; left: 0; right: 0; top: 26px; border-top: 1.5px solid currentColor; } .arrow-response .arrow-line { border-top-style: dashed; } .arrow-both .arrow-line { border-top-style: dotted; } .arrow-both .arrow-line::after { display: none; }
.arrow-line::after { content: ""; position: absolute; top: -5px; border: 4.25px solid transparent; } .arrow-right .arrow-line::after { right: 0; border-left: 7px solid currentColor; border-right: 0; } .arrow-left .arrow-line::after { left: 0; border-right: 7px solid currentColor; border-left: 0; }
.phase-change { position: absolute; top: 6px; height: 24px; transform: translateX(-50%); z-index: 2; display: inline-flex; gap: .45em; align-items: center; padding: 0 8px; background: var(--sheet); border: 1px solid var(--edge); border-radius: 3px; font-size: .875em; white-space: nowrap; max-width: 18rem; overflow: hidden; } .phase-change .icon { color: var(--accent); }
.row-gap { display: flex; align-items: center; gap: 8px; padding: 0 16px; color: var(--amber); border-top: 1px dashed var(--edge); border-bottom: 1px dashed var(--edge); background: var(--sunk); } .gap-text { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.message { overflow: auto; border-left: 1px solid var(--line); background: var(--ground); padding-bottom: 24px; } .message[hidden] { display: none; }
.message > header { position: sticky; top: 0; z-index: 2; display: flex; justify-content: space-between; gap: 12px; align-items: center; padding: 8px 16px; background: var(--ground); border-bottom: 1px solid var(--line); } .message h2 .number { padding-right: .8em; color: var(--muted); } .message h2 { min-width: 0; overflow-wrap: anywhere; max-height: 6em; overflow-y: auto; } .message header button { padding: 6px; line-height: 1; }
.message > .facts { padding: 8px 16px; font-size: .925em; } .message > .note { margin: 4px 16px; }
.proof { margin: 4px 16px; padding: 6px 0; border-top: 1px solid var(--line); } .proof .result { white-space: normal; overflow-wrap: anywhere; } .proof .evidence { margin: 4px 0 0; }
.message > .more { margin: 8px 16px; } .whole-text { padding: 4px 16px 10px; } .whole-text h3 { font-size: .925em; font-weight: 600; color: var(--muted); margin: 0; } .whole-text p { white-space: pre-wrap; overflow-wrap: anywhere; }
.json { padding: 8px 12px 8px 0; line-height: 1.5; font-size: .9em; background: var(--sheet); border: 1px solid var(--line); border-width: 1px 0; white-space: pre-wrap; overflow-wrap: anywhere; } pre.json { padding-left: 16px; }
.json-line { text-indent: -2ch; margin-left: 2ch; } .json-line > * { text-indent: 0; } .json-key { color: var(--accent); } .json-string { color: var(--ink); } .json-number, .json-word { color: var(--violet); } .json-sign { color: var(--muted); } .json-note { color: var(--amber); } mark.json-string, mark.json-key, mark.json-sign, mark.json-number, mark.json-word { color: var(--mark-ink); }
@media (min-width: 901px) { .with-message .lane-head, .with-message .row { grid-template-columns: 52px 30px minmax(calc(var(--lanes) * 64px), 1fr); } .with-message .row-message .time { font-size: 0; } .with-message .row-message .time .number { font-size: 11px; } .with-message .row-phase .time { visibility: hidden; } }
@media (max-width: 900px) {
  .sequence { display: block; } .sequence-pane { overflow: visible; } .sequence-tools { padding: 8px 12px; } .sequence-tools input { min-height: 36px; font-size: 16px; flex: 1 1 9rem; }
  .lane-head, .row { grid-template-columns: 38px 20px minmax(0, 1fr); } .row .time { padding-left: 8px; font-size: .75em; } .row-message .time { font-size: 0; } .row-message .time .number { font-size: 11px; }
  .row-phase .time { visibility: hidden; } .signs { padding-right: 3px; flex-direction: column; justify-content: center; gap: 0; }
  .message { position: fixed; inset: 50vh 0 0; z-index: 10; border: 0; border-top: 2px solid var(--edge); } .with-message { padding-bottom: 50vh; } .message header button { padding: 12px; }
  .legend { display: none; } .sequence-pane { overflow-x: clip; } .phase-change-last { transform: translateX(calc(-100% + 40px)); }
}
`
