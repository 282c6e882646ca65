/** The state of a run: what all of its agents share, and the events they emit. */

import type { Agent, ReactConfig } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import { setOwn } from '@joust/source'
import type { LedgerHost } from '../budget/ledger.ts'
import { newTotals } from '../budget/totals.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import type { Governance } from '../governance/governance.ts'
import type { EventBody, EventListener, RunEvent } from '../model/events.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { Journal } from '../model/journal.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { RuntimeOptions, RunWarning } from '../model/options.ts'

/** What all agents of one run share. */
export interface RunState extends LedgerHost {
  readonly id: string
  readonly options: RuntimeOptions
  readonly clock: Clock
  /** A number from 0 up to 1. */
  random(): number
  readonly pool: ConnectionPool
  /** Whether models tell their text as it comes; absent: to whoever waits with a conversation. */
  readonly stream?: boolean
  /** Events of the kind `warning`, for the result. */
  readonly warnings: RunWarning[]
  /** The policies of each agent, pinned when the run was prepared. */
  policiesOf(agent: Agent): readonly GovernancePolicy[]
  model(agent: Agent, config: ReactConfig): Promise<LanguageModel>
  /** Tells the listeners, and the audits of the policies that bind the agent. */
  emit(event: EventBody, agent: readonly string[], governance: Governance): void
  /** Nothing is emitted after this. */
  end(): void
}

/** What a run is made of. */
type RunParts = Pick<RunState, 'id' | 'options' | 'clock' | 'random' | 'pool' | 'policiesOf' | 'model' | 'stream'> & {
  readonly listeners: readonly EventListener[]
  readonly journal?: Journal
}

/** Starts the state of a run. */
export function openRunState({ listeners, journal, ...parts }: RunParts): RunState {
  const warnings: RunWarning[] = []
  let ended = false
  const emit = (body: EventBody, agent: readonly string[], { policies }: Governance) => {
    if (ended) return
    const event: RunEvent = frozenCopy({ ...body, run: parts.id, at: parts.clock.now(), agent })
    if (body.type === 'warning') warnings.push({ code: body.code, message: body.message, agent })
    notify(listeners, event)
    const audits = policies.flatMap(({ audit }) => (audit === undefined ? [] : [audit]))
    notify(audits, event, () => {
      // An audit that fails while this very warning is reported must not start over.
      if (body.type !== 'warning') emit(auditWarning, agent, { policies: [] })
    })
  }
  return {
    ...parts,
    totals: newTotals(parts.clock, journal?.workedMs()),
    warnings,
    emit,
    end() {
      ended = true
    },
  }
}

const auditWarning = { type: 'warning', code: 'audit_failed', message: 'an audit did not take an event' } as const

/** Gives an event to every listener; what they throw or reject with goes to `onFault`. */
function notify(listeners: readonly EventListener[], event: RunEvent, onFault: () => void = () => {}): void {
  for (const listener of listeners) {
    try {
      // An async function passes for a listener; a rejection of its promise would otherwise end the process.
      const returned: unknown = listener(event)
      if (returned instanceof Promise) returned.catch(onFault)
    } catch {
      onFault()
    }
  }
}

/** A deep copy that cannot be changed. A failure of host code may contain itself; its copy then does, too. */
export function frozenCopy<T>(thing: T): T {
  const copies = new Map<object, object>()
  const pending: { readonly from: object; readonly into: object }[] = []
  const copy = (from: unknown): unknown => {
    if (typeof from !== 'object' || from === null) return from
    const known = copies.get(from)
    if (known !== undefined) return known
    const into = Array.isArray(from) ? [] : {}
    copies.set(from, into)
    pending.push({ from, into })
    return into
  }
  const root = copy(thing)
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    for (const [key, child] of Object.entries(job.from)) setOwn(job.into, key, copy(child))
    Object.freeze(job.into)
  }
  // The loop rebuilds the same shape.
  return root as T
}
