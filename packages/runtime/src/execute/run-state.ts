/** State and events shared by all agents of a run. */
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
import type { ResolvedModels } from '../models/resolve-model.ts'

/** The runtime resources used by a run. */
export interface Host {
  readonly options: RuntimeOptions
  readonly clock: Clock
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number
  readonly pool: ConnectionPool
  /** Models resolved by earlier runs. */
  readonly models: ResolvedModels
  /** Aborted when the runtime is closed. */
  readonly closing: AbortSignal
  readonly listeners: readonly EventListener[]
}

/** Results of the preparation; unchanged until the run ends. */
export interface Prepared {
  readonly policies: ReadonlyMap<Agent, readonly GovernancePolicy[]>
  /** Models of `agf.react` agents. */
  readonly models: ReadonlyMap<Agent, LanguageModel>
  /** Messages about advisory policies that could not be resolved. */
  readonly absent: readonly { readonly agent: readonly string[]; readonly message: string }[]
}

export interface RunState extends BudgetHost, Pick<Host, 'options' | 'random' | 'pool'> {
  readonly id: string
  /** True to stream model text; undefined to stream only with a conversation. */
  readonly stream: boolean | undefined
  readonly warnings: RunWarning[]
  /** Results of the preparation; empty until it has finished. */
  prepared: Prepared
  readonly inTurn: AgentContext['inTurn']
  /** Notifies listeners and the audit functions of the agent's policies. */
  emit(
    event: EventBody & Pick<RunEvent, 'execution'>,
    agent: readonly string[],
    policies?: readonly GovernancePolicy[],
  ): void
  /** Returns a number for a new execution; `above` is the parent's number. */
  execution(above: string | undefined): string
  /** Ends the run. Later events are dropped. */
  end(): void
}

export function openRunState(host: Host, { stream, approve }: RunOptions, journal: Journal | undefined): RunState {
  const { clock, random, pool, listeners } = host
  const options = approve === undefined ? host.options : { ...host.options, approve }
  const id = runId(random)
  const warnings: RunWarning[] = []
  let ended = false
  const emit: RunState['emit'] = (body, agent, policies = []) => {
    if (ended) return
    if (body.type === 'warning') warnings.push({ code: body.code, message: body.message, agent })
    const audits = policies.flatMap(({ audit }) => (audit === undefined ? [] : [audit]))
    if (listeners.length + audits.length === 0) return
    const event: RunEvent = frozenCopy({ ...body, run: id, at: clock.now(), agent })
    notify(listeners, event)
    notify(audits, event, () => {
      // A failed audit of this warning must not cause another one.
      if (body.type !== 'warning') emit(auditWarning, agent)
    })
  }
  const end = () => {
    ended = true
  }
  let executions = 0
  const execution: RunState['execution'] = (above) => {
    executions += 1
    return above === undefined ? `${executions}` : `${above}.${executions}`
  }
  const totals = newTotals(clock, journal?.workedMs())
  const prepared = { policies: new Map(), models: new Map(), absent: [] }
  const inTurn = createTurns()
  return { id, options, clock, random, pool, stream, totals, warnings, prepared, inTurn, emit, execution, end }
}

/** Creates a queue that runs one task at a time. A task aborted while waiting is never started. */
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

function runId(random: () => number): string {
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return `run-${part()}${part()}`
}

const auditWarning = { type: 'warning', code: 'audit_failed', message: 'an audit listener failed on an event' } as const

/** Passes an event to every listener; calls `onError` for each that throws or rejects. */
function notify(listeners: readonly EventListener[], event: RunEvent, onError: () => void = () => {}): void {
  for (const listener of listeners) {
    try {
      // Listeners may be async; an unhandled rejection would end the process.
      const returned: unknown = listener(event)
      if (returned instanceof Promise) returned.catch(onError)
    } catch {
      onError()
    }
  }
}

/** Creates a frozen deep copy. Preserves circular references, which errors in host code may contain. */
export function frozenCopy<T>(value: T): T {
  const copies = new Map<object, object>()
  const pending: { readonly from: object; readonly into: object }[] = []
  const copy = (from: unknown): unknown => {
    if (typeof from !== 'object' || from === null) return from
    const existing = copies.get(from)
    if (existing !== undefined) return existing
    const into = Array.isArray(from) ? [] : {}
    copies.set(from, into)
    pending.push({ from, into })
    return into
  }
  const root = copy(value)
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    for (const [key, child] of Object.entries(job.from)) setOwn(job.into, key, copy(child))
    Object.freeze(job.into)
  }
  // The copy has the same type.
  return root as T
}
