/** What is left of a text that is not a document, so that rules can look at the parts that are well formed. */
import { isRecord, type Path, toDoubles, type ValueRecord, valueAt } from '@joust/source'
import type { AgentDocument } from '../model/document.ts'
import { documentProblems } from './check-document.ts'

/** A document without what does not have its shape. */
export interface Remains {
  readonly document: AgentDocument
  /** What was taken out, as fields without indices: `action_space.local_tools.approval`. */
  readonly lost: readonly string[]
}

/** Their problems leave a value of the right type. */
const harmless: ReadonlySet<string> = new Set(['pattern', 'minLength', 'minimum', 'maximum', 'minItems'])

/** What a document cannot be without. */
const blank: ValueRecord = {
  schema_version: '1.0.0',
  metadata: { id: 'agent', name: 'agent', version: '1', description: 'An agent.' },
  interface: { input: {}, output: {} },
  execution_policy: { id: 'x-unknown', config: {} },
}

/** A round takes out what is wrong, the next one what requires it. */
const ROUNDS = 10

/** Takes out what does not have its shape; undefined when that leads nowhere. */
export function remainsOf(value: ValueRecord): Remains | undefined {
  const rest = toDoubles(value)
  const lost: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const wrong = documentProblems(rest).filter(({ keyword }) => !harmless.has(keyword))
    // Every value that is left has the type that the schema gives it.
    if (wrong.length === 0) return { document: rest as unknown as AgentDocument, lost }
    for (const { path, keyword } of wrong) {
      const [field] = path
      if (field === undefined) return undefined
      const isMissing = keyword === 'required'
      if (isMissing && path.length === 1) Object.assign(rest, { [field]: blank[field] })
      const taken = takeOut(rest, isMissing ? path.slice(0, -1) : path)
      lost.push(taken === '' ? String(field) : taken)
    }
  }
  return undefined
}

/** An item goes with its list: otherwise the others would move. Returns what is gone. */
function takeOut(rest: ValueRecord, path: Path): string {
  const names = path.filter((step) => typeof step === 'string')
  const last = path.lastIndexOf(names.at(-1) ?? '')
  const holder = last < 0 ? undefined : valueAt(rest, path.slice(0, last))
  if (isRecord(holder)) Reflect.deleteProperty(holder, String(path[last]))
  return names.join('.')
}
