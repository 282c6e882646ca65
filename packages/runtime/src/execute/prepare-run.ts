/** Preparing within the limits of the run: its deadline counts from the start, and nobody is waited for without end. */

import type { Agent } from '@joust/agentformat'
import { type Clock, startWithin } from '@joust/io'
import { optionFaults } from '../budget/check-options.ts'
import { Ledger, type LedgerSpec } from '../budget/ledger.ts'
import { newTotals } from '../budget/totals.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import type { EventBody } from '../model/events.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RunOptions, RuntimeOptions } from '../model/options.ts'
import { modelOf } from '../models/model-of.ts'
import { asFailure, hostLayer, ownLayer } from './frame.ts'
import { type Prepared, prepare } from './prepare.ts'

/** What preparing gets from its runtime. */
interface PreparingHost {
  readonly options: RuntimeOptions
  readonly clock: Clock
  readonly pool: ConnectionPool
}

/** Prepares a run. Rejects with a `RunFailure`: what is missing, a deadline that has passed, or that it was cancelled. */
export async function prepareRun(
  { options, clock, pool }: PreparingHost,
  agent: Agent,
  { memoryScope }: Pick<RunOptions, 'memoryScope'>,
  cancel: AbortSignal,
  emit: (event: EventBody, agent: readonly string[]) => void,
): Promise<Prepared> {
  // Numbers that are wrong bind nothing here; that they are wrong is among the problems that stop the run.
  const { limits, timeouts } = optionFaults(options).length === 0 ? options : {}
  const layers = [hostLayer(limits), ownLayer(agent)]
  const onLimit: LedgerSpec['onLimit'] = ({ path: limit, owner, max }, used) =>
    emit({ type: 'limit-reached', limit, owner, max, used }, [])
  const ledger = new Ledger(
    { agent: [], layers, tightenOnly: true, cancel, onLimit },
    { clock, totals: newTotals(clock) },
  )
  const { signal } = ledger
  try {
    return await prepare({
      agent,
      options,
      signal,
      ask: (work) => startWithin(clock, timeouts?.connectMs ?? runtimeLimits.connectMs, [signal], work),
      findModel: (config, node) => modelOf(node, config, options, []),
      reach: (node, path) =>
        pool.reach(node.document.action_space ?? {}, { path, signal, emit: (event) => emit(event, path) }),
      ...(memoryScope === undefined || memoryScope === '' ? {} : { memoryScope }),
    })
  } catch (thrown) {
    throw asFailure(thrown, signal, [])
  } finally {
    ledger.close()
  }
}
