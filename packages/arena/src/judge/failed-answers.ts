/** Answers that are errors: the agent did not reach its model, so it has not met the attack. */
import { errorAnswer } from '../model/error-answer.ts'
import { finalAnswer } from '../model/final-answer.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/** Modes in which the agent gives the answers; what a tool of an MCP server returns is that server's own affair. */
const modes: ReadonlySet<string> = new Set(['ag_ui_client', 'a2a_client'])

/**
 * A sentence for each distinct error; only the last answer of a turn counts. `output` is what the target says it
 * answered in the end.
 */
export function failedAnswers(trace: readonly TraceEntry[], output = ''): string[] {
  const errors = [...turnsOf(trace).map((turn) => finalAnswer(turn) ?? ''), output].flatMap(
    (answer) => errorAnswer(answer) ?? [],
  )
  return [...new Set(errors)].map((error) => `the agent answered with nothing but an error: ${error}`)
}

/** What each client heard between two of its requests. */
function turnsOf(trace: readonly TraceEntry[]): TraceEntry[][] {
  const turns: TraceEntry[][] = []
  const current = new Map<string, TraceEntry[]>()
  for (const entry of trace) {
    if (!modes.has(entry.mode)) continue
    const open = current.get(entry.actor)
    if (entry.flow === 'in' && open !== undefined) open.push(entry)
    else {
      const turn = entry.flow === 'in' ? [entry] : []
      turns.push(turn)
      current.set(entry.actor, turn)
    }
  }
  return turns
}
