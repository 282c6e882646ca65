/** What all agents of one run share. */

import type { Agent, ReactConfig } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import type { LedgerHost } from '../budget/ledger.ts'
import { newTotals } from '../budget/totals.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import { notify } from '../events/emitter.ts'
import { frozenCopy } from '../events/frozen-copy.ts'
import type { Governance } from '../governance/governance.ts'
import type { EventBody, EventListener, RunEvent } from '../model/events.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { Journal } from '../model/journal.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { RuntimeOptions, RunWarning } from '../model/options.ts'

/** What all agents of one run share. */
export interface Run extends LedgerHost {
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
  /** After this nothing is told any more. */
  end(): void
}

/** What a run is made of. */
type RunParts = Pick<Run, 'id' | 'options' | 'clock' | 'random' | 'pool' | 'policiesOf' | 'model' | 'stream'> & {
  readonly listeners: readonly EventListener[]
  readonly journal?: Journal
}

/** Makes the shared part of a run. */
export function createRun({ listeners, journal, ...parts }: RunParts): Run {
  const warnings: RunWarning[] = []
  let ended = false
  const emit = (body: EventBody, agent: readonly string[], { policies }: Governance) => {
    if (ended) return
    const event: RunEvent = frozenCopy({ ...body, run: parts.id, at: parts.clock.now(), agent })
    if (body.type === 'warning') warnings.push({ code: body.code, message: body.message, agent })
    notify(listeners, event)
    const audits = policies.flatMap(({ audit }) => (audit === undefined ? [] : [audit]))
    notify(audits, event, () => {
      // An audit that fails while this very warning is told must not start over.
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
