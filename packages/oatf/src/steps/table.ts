/** Normalization: one row per step, in the order in which they run. */
import { defaults } from './defaults.ts'
import { indicatorIds } from './indicator-ids.ts'
import { indicatorTargets } from './indicator-targets.ts'
import { patternStandardForm } from './pattern-standard-form.ts'
import { phasesToActors } from './phases-to-actors.ts'
import { severityObject } from './severity-object.ts'
import { singlePhaseToActors } from './single-phase-to-actors.ts'
import type { StepRow } from './step.ts'
import { tagSpelling } from './tag-spelling.ts'

// biome-ignore format: a row is a line
export const stepTable: readonly StepRow[] = [
  { code: 'N-001', section: '§11.2.1', apply: defaults, summary: 'Write out default values.' },
  { code: 'N-002', section: '§11.2.2', apply: severityObject, summary: 'Expand a severity word to an object.' },
  { code: 'N-003', section: '§11.2.3', apply: indicatorIds, summary: 'Give indicators without an id one.' },
  { code: 'N-004', section: '§11.2.4', apply: indicatorTargets, summary: 'Give patterns and semantic blocks their target.' },
  { code: 'N-005', section: '§11.2.5', apply: patternStandardForm, summary: 'Expand pattern shorthand to a condition.' },
  { code: 'N-006', section: '§11.2.6', apply: singlePhaseToActors, summary: 'Turn the single-phase form into one actor.' },
  { code: 'N-007', section: '§11.2.7', apply: phasesToActors, summary: 'Turn the multi-phase form into one actor.' },
  { code: 'N-008', section: '§4.5', apply: tagSpelling, summary: 'Spell tags in lower case with hyphens.' },
]
