/** What an agent did in a run, short enough to be told. */
import { compactJson, cut } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { Redactor } from '../results/redactor.ts'

const MOST_LINES = 20
const LONGEST = 400
/** What every client says before it does anything. */
const GREETINGS: readonly string[] = ['initialize', 'notifications/initialized', 'tools/list', 'ping']

/** Watches the messages of one run. */
export interface Observation {
  add(entry: TraceEntry): void
  lines(): readonly string[]
}

/** Begins to watch. Secrets are hidden: what is seen here is told to a model of somebody else. */
export function observe(redactor: Pick<Redactor, 'text'>): Observation {
  const lines: string[] = []
  return {
    add({ flow, surface, content, malformed, derived }) {
      if (flow !== 'in' || derived === true || lines.length >= MOST_LINES || GREETINGS.includes(surface)) return
      const said = malformed === undefined ? compactJson(content) : undefined
      const text = said?.ok === true ? redactor.text(said.value) : 'something that cannot be told'
      lines.push(cut(`${surface}: ${text}`, LONGEST))
    },
    lines: () => lines,
  }
}
