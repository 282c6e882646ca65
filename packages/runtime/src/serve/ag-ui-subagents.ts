/** Sub-agents and remote agents as AG-UI tells them: that they start, and how they end. */
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Place, RunEvent } from '../model/events.ts'

/** Tells delegations. */
interface SubagentEvents {
  tell(event: RunEvent): void
  /** Ends those that are still open. */
  end(): void
}

/** Each delegation gets an id of its own, since AG-UI's ids are never used twice. */
export function createSubagentEvents(runId: string, send: (event: AGUIEvent) => void): SubagentEvents {
  const open = new Map<string, string[]>()
  const faults = new Map<string, string>()
  let count = 0
  const finish = (subagentRunId: string, fault: string | undefined) => {
    if (fault === undefined) send({ type: EventType.SUBAGENT_FINISHED, subagentRunId })
    else send({ type: EventType.SUBAGENT_ERROR, subagentRunId, message: fault })
  }
  return {
    tell(event) {
      if (event.type === 'agent-failed') faults.set(event.agent.join('\n'), event.error.message)
      if (event.type !== 'delegation-started' && event.type !== 'delegation-finished') return
      const place = placeOf(event)
      if (event.type === 'delegation-started') {
        count += 1
        const subagentRunId = `${runId}.agent.${count}`
        open.set(place, [...(open.get(place) ?? []), subagentRunId])
        send({ type: EventType.SUBAGENT_STARTED, subagentRunId, name: event.alias })
        return
      }
      const [subagentRunId, ...others] = open.get(place) ?? []
      if (subagentRunId === undefined) return
      if (others.length === 0) open.delete(place)
      else open.set(place, others)
      const fault = faults.get([...event.agent, event.alias].join('\n')) ?? `${event.alias} failed`
      finish(subagentRunId, event.ok ? undefined : fault)
    },
    end() {
      for (const subagentRunId of [...open.values()].flat()) finish(subagentRunId, 'it was not finished')
      open.clear()
    },
  }
}

function placeOf({ agent, alias, step, iteration, item }: Place & { agent: readonly string[]; alias: string }): string {
  return JSON.stringify([agent, alias, step ?? null, iteration ?? null, item ?? null])
}
