/** Summarizes an agent's messages in a run. */

import type { Redactor, TraceEntry } from '@joust/results'
import { compactJson, cut, own, ownText } from '@joust/source'
import { adaptiveLimits } from '../limits.ts'

/** Routine client messages that the summary omits. */
const ROUTINE =
  /^(initialize|ping|notifications\/.*|(tools|prompts|resources|resources\/templates)\/list|agent_card\/get)$/

export interface Observation {
  add(entry: TraceEntry): void
  lines(): readonly string[]
}

/** Creates an observation. Secrets are redacted because the lines are sent to the attacker's model. */
export function observe(redactor: Pick<Redactor, 'text'>): Observation {
  const first: string[] = []
  const last: string[] = []
  let skipped = 0
  return {
    add(entry) {
      const text = entry.flow === 'in' ? lineOf(entry) : undefined
      if (text === undefined) return
      const line = cut(redactor.text(text), adaptiveLimits.attackerLineText)
      if (first.length < adaptiveLimits.attackerLines) first.push(line)
      else if (last.push(line) > adaptiveLimits.attackerLines) {
        last.shift()
        skipped += 1
      }
    },
    lines: () => [...first, ...(skipped === 0 ? [] : [`(${skipped} more)`]), ...last],
  }
}

function lineOf(entry: TraceEntry): string | undefined {
  const { protocol, surface, content, malformed, derived } = entry
  if (malformed !== undefined) return `${surface}: malformed message`
  if (protocol === 'ag_ui') return eventLine(entry)
  if (derived === true || ROUTINE.test(surface)) return undefined
  return `${surface}: ${jsonOf(content)}`
}

/** Formats an event. Stream chunks are skipped, because the final event contains the complete text. */
function eventLine({ surface, content, arguments: whole }: TraceEntry): string | undefined {
  const text = ownText(content, '_text')
  if (text !== undefined) return `said: ${text}`
  if (surface === 'tool_call_end') return `called ${own(content, 'toolCallName')} with ${whole}`
  return surface === 'run_error' ? `failed: ${jsonOf(content)}` : undefined
}

function jsonOf(content: TraceEntry['content']): string {
  const json = compactJson(content)
  return json.ok ? json.value : '[cannot be shown]'
}
