/** What ran so far in one execution of a policy: the sources of path expressions. */
import type { Agent, SourceLookup } from '@joust/agentformat'
import type { Value } from '@joust/source'

/** A sub-agent that ran. */
export interface StepRecord {
  readonly alias: string
  /** Its place in the list of steps. */
  readonly index: number
  readonly input: Value
  readonly output: Value
}

/** The sources: the parent's input, and the latest execution of each alias (OPEN-12). */
export function sourcesOf(agent: Agent, input: Value, records: readonly StepRecord[]): SourceLookup {
  return (source, direction) => {
    if (source === 'parent') {
      // OPEN-7: the parent has no output while its policy runs.
      return direction === 'input' ? { value: input, schema: agent.document.interface.input } : undefined
    }
    const record = records.findLast((candidate) => candidate.alias === source)
    const child = agent.agents.get(source)
    if (record === undefined || child === undefined) return undefined
    return { value: record[direction], schema: child.document.interface[direction] }
  }
}
