/** Answers of actors that the agent's own clients refused, by actor. */
import type { RunEvent } from '@joust/runtime'
import { cut } from '@joust/source'
import { bounds } from '../../model/limits.ts'
import type { Refusal } from '../../model/target.ts'
import type { AgentWiring } from './wiring.ts'

/** A listener, and what it heard. */
interface RecordedRefusals {
  take(event: RunEvent): void
  all(): readonly Refusal[]
}

/** Keeps what clients refused of those that actors play; other servers of the agent are not part of the attack. */
export function recordRefusals({ mcp_servers, remote_agents }: AgentWiring): RecordedRefusals {
  const refusals: Refusal[] = []
  return {
    all: () => refusals,
    take(event) {
      if (event.type !== 'answer-refused' || refusals.length >= bounds.refusals) return
      const { alias, operation, message } = event
      const actor = (event.peer === 'mcp' ? mcp_servers : remote_agents).get(alias)?.actor
      if (actor !== undefined) refusals.push({ actor, operation, message: cut(message, bounds.refusalText) })
    },
  }
}
