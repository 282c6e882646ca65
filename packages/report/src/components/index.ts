/** Preact components of the report, for other pages. They depend only on their props; `reportStyle` styles them. */

export { AttackDetail } from './attack-detail.tsx'
export { ScrollBox, ScrolledText, SearchBox } from './boxes.tsx'
export type { AttackPlace, ReportRun, TraceSummary } from './data.ts'
export { DocumentView } from './document-view.tsx'
export { FilterBar } from './filter-bar.tsx'
export { DataFlows } from './flows.tsx'
export { Headline } from './headline.tsx'
export { ResultBadge, SeverityBadge } from './icons.tsx'
export { Matrix, moveInGrid } from './matrix.tsx'
export {
  type Filter,
  isShown,
  matrixRows,
  noFilter,
  type Row,
  readFilter,
  sortRows,
  writeFilter,
} from './matrix-rows.ts'
export { MessagePanel } from './message-panel.tsx'
export { Overview } from './overview.tsx'
export { useIsPainted } from './painted.ts'
export { counterpartOf } from './pair.tsx'
export { createPlaceNames } from './place-names.ts'
export { ReportPages } from './report-page.tsx'
export { Sequence } from './sequence.tsx'
export { reportStyle } from './style/style.ts'
export { targetNames } from './target-names.ts'
export { plainText, shown, shownName } from './text.tsx'
export { ThemeButton } from './theme-button.tsx'
export { evidenceOf, type Message, type Trace, traceOf } from './trace.ts'
export { TrialEvidence } from './why.tsx'
export { countText, numberText, SEVERITY_ORDER } from './words.ts'
