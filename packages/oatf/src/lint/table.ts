import type { LintRow } from './rule.ts'
import { baitLeadsSomewhere } from './rules/bait-leads-somewhere.ts'
import { baitNamed } from './rules/bait-named.ts'
import { capabilityDeclared } from './rules/capability-declared.ts'
import { directionGiven } from './rules/direction-given.ts'
import { entryIdentified } from './rules/entry-identified.ts'
import { entryKeySpelled } from './rules/entry-key-spelled.ts'
import { expressionReadsSafely } from './rules/expression-reads-safely.ts'
import { extractorUsed } from './rules/extractor-used.ts'
import { nameSpelled } from './rules/name-spelled.ts'
import { notOwnMessage } from './rules/not-own-message.ts'
import { notOwnPayload } from './rules/not-own-payload.ts'
import { phaseReachable } from './rules/phase-reachable.ts'
import { predicatePathExists } from './rules/predicate-path-exists.ts'
import { runAgentInputGiven } from './rules/run-agent-input-given.ts'
import { someIndicatorAlive } from './rules/some-indicator-alive.ts'
import { stateKeyKnown } from './rules/state-key-known.ts'
import { surfaceSpelled } from './rules/surface-spelled.ts'
import { targetExists } from './rules/target-exists.ts'
import { targetHasMeaning } from './rules/target-has-meaning.ts'
import { taskWellFormed } from './rules/task-well-formed.ts'
import { templateFilled } from './rules/template-filled.ts'
import { verbatimKnown } from './rules/verbatim-known.ts'
import { wholeTextRead } from './rules/whole-text-read.ts'

/** Every lint rule, in code order. The documents conform, and still do not do what they are meant to. */
// biome-ignore format: a row is a line
export const lintTable: readonly LintRow[] = [
  { code: 'L-001', level: 'error', section: '§6.1', check: targetExists, summary: 'What an indicator looks at is in some message of its protocol, surface and direction.' },
  { code: 'L-002', level: 'warning', section: '§6', check: notOwnPayload, summary: 'No indicator matches what the attacker itself sends.' },
  { code: 'L-003', level: 'error', section: '§5.3', check: phaseReachable, summary: 'Every phase can be reached.' },
  { code: 'L-004', level: 'warning', section: '§5.5', check: extractorUsed, summary: 'Every extractor is used by some template.' },
  { code: 'L-005', level: 'warning', section: '§5.6', check: templateFilled, summary: 'A template is not empty when it is first used.' },
  { code: 'L-006', level: 'warning', section: '§7.0', check: stateKeyKnown, summary: 'Every key of a state is one that its binding defines.' },
  { code: 'L-007', level: 'error', section: '§6', check: someIndicatorAlive, summary: 'There is an indicator, and at least one that can match.' },
  { code: 'L-008', level: 'warning', section: '§6', check: directionGiven, summary: 'An indicator that could match either side says which one it is about.' },
  { code: 'L-009', level: 'warning', section: '§5.7', check: expressionReadsSafely, summary: 'An expression gives no error for ordinary messages.' },
  { code: 'L-010', level: 'error', section: '§5.4', check: predicatePathExists, summary: 'Every path of a predicate is one that its message can have.' },
  { code: 'L-011', level: 'error', section: '§10.3', check: taskWellFormed, summary: 'A task (x-joust-task) says by indicators what the user wanted.' },
  { code: 'L-012', level: 'error', section: '§7', check: surfaceSpelled, summary: 'A surface is spelled as its binding spells it.' },
  { code: 'L-013', level: 'error', section: '§7', check: nameSpelled, summary: 'Events, state keys and methods are spelled as their binding spells them.' },
  { code: 'L-014', level: 'error', section: '§7', check: entryKeySpelled, summary: 'The keys of tools, prompts, resources and other entries of a state are spelled as on the wire.' },
  { code: 'L-015', level: 'error', section: '§7.1.4', check: entryIdentified, summary: 'Every tool and prompt has a name, every resource a URI.' },
  { code: 'L-016', level: 'error', section: '§7.3.4', check: runAgentInputGiven, summary: 'A state of `ag_ui_client` has a `run_agent_input`.' },
  { code: 'L-017', level: 'error', section: '§7.1.4', check: capabilityDeclared, summary: 'What a server lists is among its `capabilities`, where they are given.' },
  { code: 'L-018', level: 'error', section: '§6.1', check: notOwnMessage, summary: 'No indicator looks at nothing but requests of the attacker.' },
  { code: 'L-019', level: 'error', section: '§10.3', check: baitLeadsSomewhere, summary: 'Every bait that a document names (x-joust-bait) is something that the agent can be sent.' },
  { code: 'L-020', level: 'warning', section: '§10.3', check: baitNamed, summary: 'A document names what the agent is to fall for (x-joust-bait).' },
  { code: 'L-021', level: 'warning', section: '§7.3.2', check: wholeTextRead, summary: 'An indicator that looks for several words looks at whole texts, not at deltas.' },
  { code: 'L-022', level: 'error', section: '§6.1', check: targetHasMeaning, summary: 'A target in the words of another protocol has a meaning in its own.' },
  { code: 'L-023', level: 'warning', section: '§10.3', check: verbatimKnown, summary: 'A document that goes on the wire as written (x-joust-verbatim) has nothing that an agent may refuse.' },
]
