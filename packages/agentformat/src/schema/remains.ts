/** Removes the invalid parts of a document, so that the rules can check the rest. */
import { isRecord, type Path, toDoubles, type ValueRecord, valueAt } from '@joust/source'
import type { AgentDocument } from '../model/document.ts'
import { documentProblems } from './check-document.ts'

/** A document without its invalid parts. */
export interface Remains {
  readonly document: AgentDocument
  /** The removed fields, without indices: `action_space.local_tools.approval`. */
  readonly lost: readonly string[]
}

/** Keywords whose problems leave a value of the right type. */
const harmless: ReadonlySet<string> = new Set(['pattern', 'minLength', 'minimum', 'maximum', 'minItems'])

/** Defaults for the required fields of a document. */
const blank: ValueRecord = {
  schema_version: '1.0.0',
  metadata: { id: 'agent', name: 'agent', version: '1', description: 'An agent.' },
  interface: { input: {}, output: {} },
  execution_policy: { id: 'x-unknown', config: {} },
}

/** Each round removes invalid parts, and the next one parts that require them. */
const ROUNDS = 10

/** Removes the invalid parts of a document; undefined when that does not converge. */
export function remainsOf(value: ValueRecord): Remains | undefined {
  const rest = toDoubles(value)
  const lost: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const problems = documentProblems(rest).filter(({ keyword }) => !harmless.has(keyword))
    // Every remaining value has the type of its schema.
    if (problems.length === 0) return { document: rest as unknown as AgentDocument, lost }
    for (const { path, keyword } of problems) {
      const [field] = path
      if (field === undefined) return undefined
      const isMissing = keyword === 'required'
      if (isMissing && path.length === 1) Object.assign(rest, { [field]: blank[field] })
      const removed = removeField(rest, isMissing ? path.slice(0, -1) : path)
      lost.push(removed === '' ? String(field) : removed)
    }
  }
  return undefined
}

/** Removes a field; for an item its whole list, since the other items would move. Returns the removed field. */
function removeField(rest: ValueRecord, path: Path): string {
  const names = path.filter((step) => typeof step === 'string')
  const last = path.lastIndexOf(names.at(-1) ?? '')
  const parent = last < 0 ? undefined : valueAt(rest, path.slice(0, last))
  if (isRecord(parent)) Reflect.deleteProperty(parent, String(path[last]))
  return names.join('.')
}
