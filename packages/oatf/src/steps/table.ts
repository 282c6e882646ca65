/**
 * The normalization steps of [OATF §11.2](https://oatf.io/specification/conformance/), one per row, in execution order.
 */
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
  { code: 'N-001', section: '§11.2.1', ...defaults },
  { code: 'N-002', section: '§11.2.2', ...severityObject },
  { code: 'N-003', section: '§11.2.3', ...indicatorIds },
  { code: 'N-004', section: '§11.2.4', ...indicatorTargets },
  { code: 'N-005', section: '§11.2.5', ...patternStandardForm },
  { code: 'N-006', section: '§11.2.6', ...singlePhaseToActors },
  { code: 'N-007', section: '§11.2.7', ...phasesToActors },
  { code: 'N-008', section: '§4.5', ...tagSpelling },
]
