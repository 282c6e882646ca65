import type { LintRow } from './rule.ts'
import { directionGiven } from './rules/direction-given.ts'
import { expressionReadsSafely } from './rules/expression-reads-safely.ts'
import { extractorUsed } from './rules/extractor-used.ts'
import { notOwnPayload } from './rules/not-own-payload.ts'
import { phaseReachable } from './rules/phase-reachable.ts'
import { predicatePathExists } from './rules/predicate-path-exists.ts'
import { someIndicatorAlive } from './rules/some-indicator-alive.ts'
import { stateKeyKnown } from './rules/state-key-known.ts'
import { targetExists } from './rules/target-exists.ts'
import { taskWellFormed } from './rules/task-well-formed.ts'
import { templateFilled } from './rules/template-filled.ts'

/** Every lint rule, in code order. All are warnings: the documents conform, but may not do what they are meant to. */
// biome-ignore format: a row is a line
export const lintTable: readonly LintRow[] = [
  { code: 'L-001', section: '§6.1', check: targetExists, summary: 'What an indicator looks at is in some message of its protocol, surface and direction.' },
  { code: 'L-002', section: '§6', check: notOwnPayload, summary: 'No indicator matches what the attacker itself sends.' },
  { code: 'L-003', section: '§5.3', check: phaseReachable, summary: 'Every phase can be reached.' },
  { code: 'L-004', section: '§5.5', check: extractorUsed, summary: 'Every extractor is used by some template.' },
  { code: 'L-005', section: '§5.6', check: templateFilled, summary: 'A template is not empty when it is first used.' },
  { code: 'L-006', section: '§7.0', check: stateKeyKnown, summary: 'Every key of a state is one that its binding defines.' },
  { code: 'L-007', section: '§6', check: someIndicatorAlive, summary: 'There is an indicator, and at least one that can match.' },
  { code: 'L-008', section: '§6', check: directionGiven, summary: 'An indicator that could match either side names a surface or a direction.' },
  { code: 'L-009', section: '§5.7', check: expressionReadsSafely, summary: 'An expression gives no error for ordinary messages.' },
  { code: 'L-010', section: '§5.4', check: predicatePathExists, summary: 'Every path of a predicate is one that its message can have.' },
  { code: 'L-011', section: '§10.3', check: taskWellFormed, summary: 'A task (x-joust-task) says by indicators what the user wanted.' },
]
