/** Mistakes that weaken an attack: an agent that survives such a document has not been tested with what it says. */
import { type Diagnostic, messageWithHint } from '@joust/source'
import { literalSpelled } from './lint/rules/literal-spelled.ts'
import { taskWellFormed } from './lint/rules/task-well-formed.ts'
import { lintTable } from './lint/table.ts'
import { lint } from './lint.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { conditionsCanMatch } from './rules/content/conditions-can-match.ts'
import { ruleTable } from './rules/table.ts'

/** Faults of the task do not affect the attack. */
const besides = codesOf(lintTable, taskWellFormed)
/** Legal; but a key that is nearly an operator was meant as one. */
const conditions = codesOf(ruleTable, conditionsCanMatch)
/** Legal, and only advice; but no agent passes while its indicators may look for a token that nothing mentions. */
const literals = codesOf(lintTable, literalSpelled)

/** Cached: every run of an attack asks, and a loaded attack does not change. */
const known = new WeakMap<LoadedAttack, readonly string[]>()

/** Every run of the attack keeps these sentences. */
const MOST_TOLD = 100

/** One sentence for each, up to a bound, then their number; empty when the document can do what it says. */
export function slipsIn(attack: LoadedAttack): readonly string[] {
  const before = known.get(attack)
  if (before !== undefined) return before
  const errors = lint(attack.written).filter(
    ({ severity, code }) => (severity === 'error' && !besides.has(code)) || literals.has(code),
  )
  const misspelled = attack.warnings.filter(({ code, suggestion }) => conditions.has(code) && suggestion !== undefined)
  const all = [...errors, ...misspelled]
  const more = all.length - MOST_TOLD
  const rest = more > 0 ? [`the document cannot do what it says: ${more} more findings were left out`] : []
  const slips = [...all.slice(0, MOST_TOLD).map(told), ...rest]
  known.set(attack, slips)
  return slips
}

function told(found: Diagnostic): string {
  return `the document cannot do what it says (${found.code}): ${messageWithHint(found)}`
}

interface Checked {
  readonly check: unknown
}

function codesOf(table: readonly (Checked & { readonly code: string })[], { check }: Checked): ReadonlySet<string> {
  return new Set(table.filter((row) => row.check === check).map(({ code }) => code))
}
