/** Messages of production spans as entries of a trace, for the actors of a document. */
import { extractProtocol, type NormalDocument, roleOf } from '@joust/oatf'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { SpanMessage } from './messages.ts'

/**
 * The entries that the actors of a document would have recorded. Production has no actors, so each message goes to every
 * actor of its protocol and side: tool calls to servers, user messages and answers to clients.
 */
export function productionEntries(messages: readonly SpanMessage[], { attack }: NormalDocument): TraceEntry[] {
  const actors = attack.execution.actors.map(({ name, mode, phases }) => {
    const place = { actor: name, mode, protocol: extractProtocol(mode), phase: phases[0]?.name ?? '' }
    return { role: roleOf(mode), place }
  })
  const entries = messages.flatMap((message) => {
    // A server receives requests of the agent and a client its responses.
    const role = (message.direction === 'request') === (message.flow === 'in') ? 'server' : 'client'
    return actors
      .filter((actor) => actor.place.protocol === message.protocol && actor.role === role)
      .map(({ place }) => ({ ...place, ...message }))
  })
  return entries.map((entry, index) => ({ seq: index + 1, at: new Date(0).toISOString(), elapsed_ms: 0, ...entry }))
}
