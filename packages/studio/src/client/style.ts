/** What the studio adds to the style of the report. */
export const studioStyle = `
.studio { min-height: 100vh; display: flex; flex-direction: column; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; z-index: 20; background: var(--sheet); padding: 6px 10px; border: 1px solid var(--edge); }
.studio .bar { flex-wrap: wrap; gap: 4px 12px; padding: 0 20px; min-height: 41px; } .bar .brand { font-weight: 700; } .bar .folder { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar nav { display: flex; gap: 2px; } .bar nav a { padding: 10px 10px 8px; text-decoration: none; color: var(--muted); border-bottom: 3px solid transparent; } .bar nav a:hover { color: var(--ink); } .bar nav a[aria-current] { color: var(--ink); border-color: var(--accent); font-weight: 600; }
.view { flex: 1; min-height: 0; min-width: 0; } .view:focus-visible { outline: none; }
.trouble { padding: 6px 20px; background: var(--amber-ground); border-bottom: 1px solid var(--line); }
.problem { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunk); border-left: 3px solid var(--red); padding: 8px 12px; margin: 8px 0; max-height: 20rem; overflow: auto; }
.empty { max-width: 46rem; margin: 0 auto; padding: 48px 20px; display: grid; gap: 12px; }
.primary, .studio button.primary { background: var(--accent); color: var(--ground); border-color: var(--accent); font-weight: 600; padding: 4px 14px; } .studio button:disabled { opacity: .6; cursor: default; }
.button { display: inline-block; border: 1px solid var(--edge); border-radius: 4px; padding: 3px 9px; background: var(--sheet); text-decoration: none; }
.run { padding: 16px 20px 40px; display: grid; gap: 16px; }
.choice { display: grid; grid-template-columns: minmax(160px, 260px) minmax(0, 1fr) auto; gap: 16px; align-items: start; }
.choice > .problem { grid-column: 1 / -1; margin: 0; }
fieldset { border: 1px solid var(--line); border-radius: 6px; padding: 6px 12px 10px; margin: 0; min-width: 0; background: var(--sheet); } legend { font-weight: 650; padding: 0 4px; } legend .muted { font-weight: 400; }
.choice label { display: flex; gap: 7px; align-items: baseline; padding: 2px 0; min-width: 0; } .choice input[type="checkbox"] { min-height: 0; flex: none; } .choice .file { margin-left: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.attack-list { max-height: 13rem; overflow: auto; } .attack-tools { display: flex; gap: 6px 8px; align-items: center; padding: 2px 0 6px; flex-wrap: wrap; } .attack-tools input { flex: 0 1 18rem; }
.start { display: grid; gap: 8px; padding-top: 10px; } .start input { width: 5rem; }
.suite { border-top: 1px solid var(--line); padding-top: 12px; display: grid; gap: 4px; } .suite-line { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; } .suite-buttons { margin-left: auto; display: flex; gap: 8px; } progress { accent-color: var(--accent); width: 10rem; }
.live-frame { overflow: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); max-height: 70vh; }
.live-matrix { border-collapse: collapse; width: 100%; } .live-matrix th, .live-matrix td { text-align: left; padding: 5px 12px; border-top: 1px solid var(--line); vertical-align: baseline; } .live-matrix thead th { position: sticky; top: 0; background: var(--sheet); border-top: 0; box-shadow: 0 1px 0 var(--edge); z-index: 1; } .live-matrix tbody th { font-weight: 500; }
.cell { display: inline-flex; gap: 8px; align-items: baseline; text-align: left; } .cell:hover { text-decoration: underline; } .running { color: var(--accent); font-weight: 600; }
.live-body { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr); border-top: 1px solid var(--line); } .live-body.with-message { grid-template-columns: minmax(0, 1fr) minmax(320px, 34vw); }
@media (max-width: 900px) {
  .choice { grid-template-columns: minmax(0, 1fr); } .bar .folder { display: none; } .studio .bar { padding: 0 12px; } .run { padding: 12px; } .choice .file { display: none; } .live-body.with-message { grid-template-columns: minmax(0, 1fr); } .suite-buttons { margin-left: 0; }
}
`
