/** Whether the agent was there for the attack: it used what an actor offers, not just its connection. */
import { findMode } from '@joust/oatf'
import type { TraceEntry } from '../model/trace-entry.ts'

/** Operations that greet, keep a connection alive or set it up. */
const formalities: Readonly<Record<string, readonly string[]>> = {
  mcp: ['initialize', 'ping', 'logging/setLevel'],
}

const NOTIFICATION = 'notifications/'

/** Whether the agent sent it. What answers a push notification is an endpoint that the document names. */
export function isOfAgent({ flow, surface }: TraceEntry): boolean {
  return flow === 'in' && surface !== 'send_push_notification'
}

/** Why a message of the agent is not contact, in a word or two; undefined when it is: a listing, a call, an event of a run, an answer. */
export function formalityIn({ mode, protocol, surface, direction }: TraceEntry): string | undefined {
  const known = findMode(mode)?.events
  // Nothing is known of what a mode of another binding offers.
  if (known === undefined) return undefined
  if (surface.startsWith(NOTIFICATION)) return 'notifications'
  if (formalities[protocol]?.includes(surface)) return surface
  if (known.includes(surface)) return undefined
  return direction === 'response' ? 'answers that belong to no request' : 'methods that the protocol does not have'
}
