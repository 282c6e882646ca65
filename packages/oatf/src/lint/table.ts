import type { LintRow } from './rule.ts'
import { answersAnnounced } from './rules/answers-announced.ts'
import { argumentDeclared } from './rules/argument-declared.ts'
import { baitLeadsSomewhere } from './rules/bait-leads-somewhere.ts'
import { baitNamed } from './rules/bait-named.ts'
import { capabilityDeclared } from './rules/capability-declared.ts'
import { directionGiven } from './rules/direction-given.ts'
import { entryIdentified } from './rules/entry-identified.ts'
import { entryKeySpelled } from './rules/entry-key-spelled.ts'
import { expressionReadsSafely } from './rules/expression-reads-safely.ts'
import { extractorUsed } from './rules/extractor-used.ts'
import { hiddenTextWhole } from './rules/hidden-text-whole.ts'
import { literalSpelled } from './rules/literal-spelled.ts'
import { nameSpelled } from './rules/name-spelled.ts'
import { notOwnMessage } from './rules/not-own-message.ts'
import { notOwnPayload } from './rules/not-own-payload.ts'
import { offeredNameSpelled } from './rules/offered-name-spelled.ts'
import { orderNameSpelled } from './rules/order-name-spelled.ts'
import { phaseReachable } from './rules/phase-reachable.ts'
import { predicatePathExists } from './rules/predicate-path-exists.ts'
import { requiredDeclared } from './rules/required-declared.ts'
import { runAgentInputGiven } from './rules/run-agent-input-given.ts'
import { someIndicatorAlive } from './rules/some-indicator-alive.ts'
import { stateKeyKnown } from './rules/state-key-known.ts'
import { structuredAnswerGiven } from './rules/structured-answer-given.ts'
import { surfaceSpelled } from './rules/surface-spelled.ts'
import { targetExists } from './rules/target-exists.ts'
import { targetHasMeaning } from './rules/target-has-meaning.ts'
import { taskWellFormed } from './rules/task-well-formed.ts'
import { templateFilled } from './rules/template-filled.ts'
import { valueKnown } from './rules/value-known.ts'
import { verbatimKnown } from './rules/verbatim-known.ts'
import { wholeTextRead } from './rules/whole-text-read.ts'

/** Every lint rule, in code order. The documents conform, and still do not do what they are meant to. */
// biome-ignore format: a row is a line
export const lintTable: readonly LintRow[] = [
  { code: 'L-001', level: 'error', section: '§6.1', ...targetExists },
  { code: 'L-002', level: 'warning', section: '§6', ...notOwnPayload },
  { code: 'L-003', level: 'error', section: '§5.3', ...phaseReachable },
  { code: 'L-004', level: 'warning', section: '§5.5', ...extractorUsed },
  { code: 'L-005', level: 'warning', section: '§5.6', ...templateFilled },
  { code: 'L-006', level: 'warning', section: '§7.0', ...stateKeyKnown },
  { code: 'L-007', level: 'error', section: '§6', ...someIndicatorAlive },
  { code: 'L-008', level: 'warning', section: '§6', ...directionGiven },
  { code: 'L-009', level: 'warning', section: '§5.7', ...expressionReadsSafely },
  { code: 'L-010', level: 'error', section: '§5.4', ...predicatePathExists },
  { code: 'L-011', level: 'error', section: '§10.3', ...taskWellFormed },
  { code: 'L-012', level: 'error', section: '§7', ...surfaceSpelled },
  { code: 'L-013', level: 'error', section: '§7', ...nameSpelled },
  { code: 'L-014', level: 'error', section: '§7', ...entryKeySpelled },
  { code: 'L-015', level: 'error', section: '§7.1.4', ...entryIdentified },
  { code: 'L-016', level: 'error', section: '§7.3.4', ...runAgentInputGiven },
  { code: 'L-017', level: 'error', section: '§7.1.4', ...capabilityDeclared },
  { code: 'L-018', level: 'error', section: '§6.1', ...notOwnMessage },
  { code: 'L-019', level: 'error', section: '§10.3', ...baitLeadsSomewhere },
  { code: 'L-020', level: 'warning', section: '§10.3', ...baitNamed },
  { code: 'L-021', level: 'warning', section: '§7.3.2', ...wholeTextRead },
  { code: 'L-022', level: 'error', section: '§6.1', ...targetHasMeaning },
  { code: 'L-023', level: 'warning', section: '§10.3', ...verbatimKnown },
  { code: 'L-024', level: 'error', section: '§6.1', ...offeredNameSpelled },
  { code: 'L-025', level: 'warning', section: '§7.1.5', ...answersAnnounced },
  { code: 'L-026', level: 'error', section: '§7.1.4', ...structuredAnswerGiven },
  { code: 'L-027', level: 'warning', section: '§6.1', ...argumentDeclared },
  { code: 'L-028', level: 'error', section: '§7.1.4', ...requiredDeclared },
  { code: 'L-029', level: 'error', section: '§7', ...valueKnown },
  { code: 'L-030', level: 'warning', section: '§6', ...literalSpelled },
  { code: 'L-031', level: 'error', section: '§7', ...orderNameSpelled },
  { code: 'L-032', level: 'error', section: '§7', ...hiddenTextWhole },
]
