/** The state of a run: what all of its agents share, and the events they emit. */

import type { Agent } from '@joust/agentformat'
import { abortable, type Clock } from '@joust/io'
import { setOwn } from '@joust/source'
import { type BudgetHost, newTotals } from '../budget/agent-budget.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import type { AgentContext } from '../context/agent-context.ts'
import type { EventBody, EventListener, RunEvent } from '../model/events.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { Journal } from '../model/journal.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { RunOptions, RuntimeOptions, RunWarning } from '../model/options.ts'

/** What a run gets from its runtime. */
export interface Host {
  readonly options: RuntimeOptions
  readonly clock: Clock
  /** A number from 0 up to 1. */
  random(): number
  readonly pool: ConnectionPool
  /** Fires when the runtime is closed. */
  readonly closing: AbortSignal
  readonly listeners: readonly EventListener[]
}

/** What was found for a run before it began; it holds until the run ends. */
export interface Prepared {
  readonly policies: ReadonlyMap<Agent, readonly GovernancePolicy[]>
  /** Those of `agf.react` agents. */
  readonly models: ReadonlyMap<Agent, LanguageModel>
  /** Advisory policies that could not be found. */
  readonly absent: readonly { readonly agent: readonly string[]; readonly message: string }[]
}

/** What all agents of one run share. */
export interface RunState extends BudgetHost, Pick<Host, 'options' | 'random' | 'pool'> {
  readonly id: string
  /** Whether models stream their text; absent: only when there is a conversation, for whoever waits for it. */
  readonly stream: boolean | undefined
  /** Events of the kind `warning`, for the result. */
  readonly warnings: RunWarning[]
  /** Empty until the run is prepared. */
  prepared: Prepared
  readonly inTurn: AgentContext['inTurn']
  /** Tells the listeners, and the audits of the policies that bind the agent. */
  emit(event: EventBody, agent: readonly string[], policies?: readonly GovernancePolicy[]): void
  /** Nothing is emitted after this. */
  end(): void
}

/** Starts the state of a run. */
export function openRunState(host: Host, { stream }: RunOptions, journal: Journal | undefined): RunState {
  const { options, clock, random, pool, listeners } = host
  const id = runId(random)
  const warnings: RunWarning[] = []
  let ended = false
  const emit: RunState['emit'] = (body, agent, policies = []) => {
    if (ended) return
    const event: RunEvent = frozenCopy({ ...body, run: id, at: clock.now(), agent })
    if (body.type === 'warning') warnings.push({ code: body.code, message: body.message, agent })
    notify(listeners, event)
    const audits = policies.flatMap(({ audit }) => (audit === undefined ? [] : [audit]))
    notify(audits, event, () => {
      // An audit that fails while this very warning is reported must not cause another warning.
      if (body.type !== 'warning') emit(auditWarning, agent)
    })
  }
  const end = () => {
    ended = true
  }
  const totals = newTotals(clock, journal?.workedMs())
  const prepared = { policies: new Map(), models: new Map(), absent: [] }
  return { id, options, clock, random, pool, stream, totals, warnings, prepared, inTurn: createTurns(), emit, end }
}

/** Work that waits for the work before it. One that is given up while it waits is never done. */
function createTurns(): AgentContext['inTurn'] {
  let before: Promise<unknown> = Promise.resolve()
  return (signal, work) => {
    const turn = before.then(() => {
      signal.throwIfAborted()
      return work()
    })
    before = turn.catch(() => {})
    return abortable(signal, () => turn)
  }
}

/** Sixteen hexadecimal digits; enough to tell runs apart. */
function runId(random: () => number): string {
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return `run-${part()}${part()}`
}

const auditWarning = { type: 'warning', code: 'audit_failed', message: 'an audit listener failed on an event' } as const

/** Gives an event to every listener; what they throw or reject with goes to `onFault`. */
function notify(listeners: readonly EventListener[], event: RunEvent, onFault: () => void = () => {}): void {
  for (const listener of listeners) {
    try {
      // An async function is accepted as a listener; a rejection of its promise would otherwise end the process.
      const returned: unknown = listener(event)
      if (returned instanceof Promise) returned.catch(onFault)
    } catch {
      onFault()
    }
  }
}

/** A deep copy that cannot be changed. A failure of host code may contain itself; its copy does, too. */
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
