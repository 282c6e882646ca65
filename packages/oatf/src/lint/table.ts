import type { LintRow } from './rule.ts'
import { appRenderable } from './rules/app-renderable.ts'
import { argumentDeclared } from './rules/argument-declared.ts'
import { baitDeclared } from './rules/bait-declared.ts'
import { baitExists } from './rules/bait-exists.ts'
import { canariesPlaced } from './rules/canaries-placed.ts'
import { clientCapabilityDeclared } from './rules/client-capability-declared.ts'
import { cvssScore } from './rules/cvss-score.ts'
import { declaredNameSpelled } from './rules/declared-name-spelled.ts'
import { directionSet } from './rules/direction-set.ts'
import { entryIdentified } from './rules/entry-identified.ts'
import { entryKeySpelled } from './rules/entry-key-spelled.ts'
import { expressionReadsSafely } from './rules/expression-reads-safely.ts'
import { extensionKnown } from './rules/extension-known.ts'
import { extensionValued } from './rules/extension-valued.ts'
import { extractorUsed } from './rules/extractor-used.ts'
import { filesPlaced } from './rules/files-placed.ts'
import { flowNamed } from './rules/flow-named.ts'
import { hiddenTextIntact } from './rules/hidden-text-intact.ts'
import { indicatorCanMatch } from './rules/indicator-can-match.ts'
import { instructionNameSpelled } from './rules/instruction-name-spelled.ts'
import { lineageReadable } from './rules/lineage-readable.ts'
import { literalSpelled } from './rules/literal-spelled.ts'
import { nameSpelled } from './rules/name-spelled.ts'
import { notAttackerPayload } from './rules/not-attacker-payload.ts'
import { notAttackerRequest } from './rules/not-attacker-request.ts'
import { overlayPlaced } from './rules/overlay-placed.ts'
import { phaseReachable } from './rules/phase-reachable.ts'
import { placeboHarmless } from './rules/placebo-harmless.ts'
import { placeboPlaced } from './rules/placebo-placed.ts'
import { placeboValid } from './rules/placebo-valid.ts'
import { predicatePathExists } from './rules/predicate-path-exists.ts'
import { remediationShort } from './rules/remediation-short.ts'
import { requiredDeclared } from './rules/required-declared.ts'
import { runAgentInputPresent } from './rules/run-agent-input-present.ts'
import { serverCapabilityDeclared } from './rules/server-capability-declared.ts'
import { stateKeyKnown } from './rules/state-key-known.ts'
import { structuredContentPresent } from './rules/structured-content-present.ts'
import { surfaceSpelled } from './rules/surface-spelled.ts'
import { targetExists } from './rules/target-exists.ts'
import { targetTranslatable } from './rules/target-translatable.ts'
import { taskWellFormed } from './rules/task-well-formed.ts'
import { templateFilled } from './rules/template-filled.ts'
import { valueKnown } from './rules/value-known.ts'
import { verbatimAccepted } from './rules/verbatim-accepted.ts'
import { wholeTextTarget } from './rules/whole-text-target.ts'

/** All lint rules, in code order. Sections refer to OATF. */
// biome-ignore format: a row is a line
export const lintTable: readonly LintRow[] = [
  { code: 'L-001', level: 'error', section: '§6.1', ...targetExists },
  { code: 'L-002', level: 'warning', section: '§6', ...notAttackerPayload },
  { code: 'L-003', level: 'error', section: '§5.3', ...phaseReachable },
  { code: 'L-004', level: 'warning', section: '§5.5', ...extractorUsed },
  { code: 'L-005', level: 'warning', section: '§5.6', ...templateFilled },
  { code: 'L-006', level: 'warning', section: '§7.0', ...stateKeyKnown },
  { code: 'L-007', level: 'error', section: '§6', ...indicatorCanMatch },
  { code: 'L-008', level: 'warning', section: '§6', ...directionSet },
  { code: 'L-009', level: 'warning', section: '§5.7', ...expressionReadsSafely },
  { code: 'L-010', level: 'error', section: '§5.4', ...predicatePathExists },
  { code: 'L-011', level: 'error', section: '§10.3', ...taskWellFormed },
  { code: 'L-012', level: 'error', section: '§7', ...surfaceSpelled },
  { code: 'L-013', level: 'error', section: '§7', ...nameSpelled },
  { code: 'L-014', level: 'error', section: '§7', ...entryKeySpelled },
  { code: 'L-015', level: 'error', section: '§7.1.4', ...entryIdentified },
  { code: 'L-016', level: 'error', section: '§7.3.4', ...runAgentInputPresent },
  { code: 'L-017', level: 'error', section: '§7.1.4', ...serverCapabilityDeclared },
  { code: 'L-018', level: 'error', section: '§6.1', ...notAttackerRequest },
  { code: 'L-019', level: 'error', section: '§10.3', ...baitExists },
  { code: 'L-020', level: 'warning', section: '§10.3', ...baitDeclared },
  { code: 'L-021', level: 'warning', section: '§7.3.2', ...wholeTextTarget },
  { code: 'L-022', level: 'error', section: '§6.1', ...targetTranslatable },
  { code: 'L-023', level: 'warning', section: '§10.3', ...verbatimAccepted },
  { code: 'L-024', level: 'error', section: '§6.1', ...declaredNameSpelled },
  { code: 'L-025', level: 'warning', section: '§7.1.5', ...clientCapabilityDeclared },
  { code: 'L-026', level: 'error', section: '§7.1.4', ...structuredContentPresent },
  { code: 'L-027', level: 'warning', section: '§6.1', ...argumentDeclared },
  { code: 'L-028', level: 'error', section: '§7.1.4', ...requiredDeclared },
  { code: 'L-029', level: 'error', section: '§7', ...valueKnown },
  { code: 'L-030', level: 'warning', section: '§6', ...literalSpelled },
  { code: 'L-031', level: 'error', section: '§7', ...instructionNameSpelled },
  { code: 'L-032', level: 'error', section: '§7', ...hiddenTextIntact },
  { code: 'L-033', level: 'error', section: '§10.3', ...placeboPlaced },
  { code: 'L-034', level: 'error', section: '§10.3', ...placeboHarmless },
  { code: 'L-035', level: 'error', section: '§10.3', ...placeboValid },
  { code: 'L-036', level: 'error', section: '§10.3', ...canariesPlaced },
  { code: 'L-037', level: 'warning', section: '§10.3', ...remediationShort },
  { code: 'L-038', level: 'error', section: '§10.3', ...flowNamed },
  { code: 'L-039', level: 'warning', section: '§7.1.4', ...appRenderable },
  { code: 'L-040', level: 'error', section: '§10.3', ...overlayPlaced },
  { code: 'L-041', level: 'warning', section: '§10.3', ...cvssScore },
  { code: 'L-042', level: 'error', section: '§10.3', ...extensionKnown },
  { code: 'L-043', level: 'error', section: '§10.3', ...filesPlaced },
  { code: 'L-044', level: 'error', section: '§10.3', ...extensionValued },
  { code: 'L-045', level: 'warning', section: '§10.3', ...lineageReadable },
]
