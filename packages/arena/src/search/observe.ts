/** What an agent did in a run, in a few lines. */
import { compactJson, cut, own, ownText } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { Redactor } from '../results/redactor.ts'

/** What every client sends before it does anything, and again whenever a list changes. */
const ROUTINE =
  /^(initialize|ping|notifications\/.*|(tools|prompts|resources|resources\/templates)\/list|agent_card\/get)$/

/** Watches the messages of one run. */
export interface Observation {
  add(entry: TraceEntry): void
  lines(): readonly string[]
}

/** Begins to watch. Secrets are hidden: what is seen here is told to somebody else's model. */
export function observe(redactor: Pick<Redactor, 'text'>): Observation {
  const first: string[] = []
  const last: string[] = []
  let left = 0
  return {
    add(entry) {
      const said = entry.flow === 'in' ? lineOf(entry) : undefined
      if (said === undefined) return
      const line = cut(redactor.text(said), arenaLimits.attackerLineText)
      if (first.length < arenaLimits.attackerLines) first.push(line)
      else if (last.push(line) > arenaLimits.attackerLines) {
        last.shift()
        left += 1
      }
    },
    lines: () => [...first, ...(left === 0 ? [] : [`(${left} more)`]), ...last],
  }
}

function lineOf(entry: TraceEntry): string | undefined {
  const { protocol, surface, content, malformed, derived } = entry
  if (malformed !== undefined) return `${surface}: something that cannot be read`
  if (protocol === 'ag_ui') return eventLine(entry)
  if (derived === true || ROUTINE.test(surface)) return undefined
  return `${surface}: ${jsonOf(content)}`
}

/** A stream reports everything in pieces; the events at the end have the whole. */
function eventLine({ surface, content, arguments: whole }: TraceEntry): string | undefined {
  const text = ownText(content, '_text')
  if (text !== undefined) return `said: ${text}`
  if (surface === 'tool_call_end') return `called ${own(content, 'toolCallName')} with ${whole}`
  return surface === 'run_error' ? `failed: ${jsonOf(content)}` : undefined
}

function jsonOf(content: TraceEntry['content']): string {
  const json = compactJson(content)
  return json.ok ? json.value : 'something that cannot be shown'
}
