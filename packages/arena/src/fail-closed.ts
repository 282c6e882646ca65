/** "The agent resisted" is said only when it was really there and really had the chance. */
import type { AttackVerdict } from '@joust/oatf'
import type { ActorOutcome } from './actor.ts'
import type { EndReason } from './options.ts'
import type { RunDiagnostic } from './reports.ts'

/** Diagnostics after which nothing good can be said of an agent. */
const spoiling: ReadonlySet<string> = new Set([
  'actor-failed',
  'agent-failed',
  'flooded',
  'interrupted',
  'run-expired',
  'target-failed',
  'trace-failed',
])

/** The same, of a client: the agent owed it an answer. A question of a server may well be left unanswered. */
const spoilingOfClients: ReadonlySet<string> = new Set(['connection-lost', 'reply-missing'])

/** Ends of an actor that leave open what the agent would have done. */
const unfinished: ReadonlySet<string> = new Set(['failed', 'stopped'])

/** Makes `not_exploited` an `error` when the run did not come to its proper end. What was shown stays shown. */
export function failClosed<Verdict extends AttackVerdict>(
  verdict: Verdict,
  ended: EndReason,
  actors: readonly ActorOutcome[],
  diagnostics: readonly RunDiagnostic[],
): Verdict {
  const clients = actors.filter(({ mode }) => mode.endsWith('_client'))
  const names = new Set(clients.map(({ name }) => name))
  const reasons = diagnostics.filter(
    ({ code, actor }) => spoiling.has(code) || (spoilingOfClients.has(code) && actor !== undefined && names.has(actor)),
  )
  // A server may well expire: it waits for as long as it may.
  const left = actors.some(({ status }) => unfinished.has(status)) || clients.some(({ status }) => status === 'expired')
  if ((ended === 'done' && !left && reasons.length === 0) || verdict.result !== 'not_exploited') return verdict
  return { ...verdict, result: 'error', diagnostics: [...(verdict.diagnostics ?? []), ...reasons] }
}
