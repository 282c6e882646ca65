/**
 * Budgets (decision 0019, OPEN-34 to OPEN-38): one per agent, with the agent's own limits and those of its ancestors.
 */
import { type Clock, type LinkedSignal, linkSignals } from '@joust/io'
import { cancelled, type RunFailure, throwIfAborted } from '../model/errors.ts'
import type { TokenUsage, Usage } from '../model/events.ts'
import { type Bound, boundsOf, type LimitLayer, type LimitName, limitFailure, usedOf } from './bounds.ts'

interface Totals {
  readonly startedAt: number
  inputTokens: number
  outputTokens: number
  estimated: boolean
  modelCalls: number
  toolCalls: number
}

/** Creates the counters of a run; `workedMs` is the time that earlier processes spent on the run. */
export function newTotals(clock: Clock, workedMs = 0): Totals {
  return {
    startedAt: clock.now() - workedMs,
    inputTokens: 0,
    outputTokens: 0,
    estimated: false,
    modelCalls: 0,
    toolCalls: 0,
  }
}

export function usageOf(totals: Totals, clock: Clock): Usage {
  const { startedAt, ...counts } = totals
  return { ...counts, totalTokens: counts.inputTokens + counts.outputTokens, durationMs: clock.now() - startedAt }
}

export interface BudgetSpec {
  /** Aliases, from the root agent. */
  readonly agent: readonly string[]
  readonly layers: readonly LimitLayer[]
  /** The agent's `tighten_only_invariant`. If false, a sub-agent may exceed the agent's limits (OPEN-36). */
  readonly tightenOnly: boolean
  /** Cancels the agent independently of its limits. */
  readonly cancel: AbortSignal
  /** The time from which time limits are measured. @default now */
  readonly startedAt?: number
  /** Called when the agent reaches a limit. */
  onLimit(bound: Bound, used: number): void
}

export interface BudgetHost {
  readonly clock: Clock
  readonly totals: Totals
}

/** The budget of one agent in one run. Methods throw `limit_exceeded` when a limit is reached. */
export class AgentBudget {
  /** Aborted with a `RunFailure` when the run is cancelled, a limit is exceeded or the agent ends. */
  readonly signal: AbortSignal
  readonly #spec: BudgetSpec
  readonly #host: BudgetHost
  readonly #bounds: readonly Bound[]
  readonly #link: LinkedSignal
  readonly #cancelTimers: readonly (() => void)[]

  constructor(spec: BudgetSpec, host: BudgetHost, inherited: readonly Bound[] = []) {
    this.#spec = spec
    this.#host = host
    const startedAt = spec.startedAt ?? host.clock.now()
    const fresh = spec.layers.flatMap((layer) => boundsOf(layer, spec.agent, startedAt))
    this.#bounds = [...inherited, ...fresh]
    // Only tokens and time can exceed their limit during a call. Other limits prevent the next call.
    const stops = this.#bounds.filter((bound) => isDeadline(bound) || bound.name === 'max_token_usage')
    // Always a new signal, because host code may attach listeners and never remove them.
    this.#link = linkSignals([spec.cancel, ...stops.map((bound) => bound.stop.signal)])
    this.signal = this.#link.signal
    this.#cancelTimers = fresh.filter(isDeadline).map((bound) => this.#startTimer(bound))
  }

  /** The earliest deadline, on the runtime clock in milliseconds. */
  get deadline(): number | undefined {
    const ends = this.#bounds.filter(isDeadline).map((bound) => bound.startedAt + bound.max * 1000)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  get usage(): Usage {
    return usageOf(this.#host.totals, this.#host.clock)
  }

  /** Checks that a model call may start, without counting it; used before an approval is requested. */
  checkModelCall(): void {
    this.#check('max_token_usage')
    this.#check('max_llm_calls')
  }

  /** Counts an attempt at a model call before it starts. */
  startModelCall(): void {
    this.#check('max_token_usage')
    this.#count('max_llm_calls')
    this.#host.totals.modelCalls += 1
  }

  /** Counts tokens. If a limit is exceeded, throws and cancels all work to which that limit applies. */
  addTokens(usage: TokenUsage): void {
    const { totals } = this.#host
    totals.inputTokens += usage.inputTokens
    totals.outputTokens += usage.outputTokens
    totals.estimated ||= usage.estimated
    const limits = this.#named('max_token_usage')
    for (const bound of limits) bound.used += usage.inputTokens + usage.outputTokens
    const over = limits.find((bound) => bound.used > bound.max)
    if (over === undefined) return
    const failure = this.#reach(over)
    over.stop.abort(failure)
    throw failure
  }

  /** Checks that a tool call may start, without counting it; used before an approval is requested. */
  checkToolCall(): void {
    this.#check('max_tool_calls')
  }

  startToolCall(): void {
    this.#count('max_tool_calls')
    this.#host.totals.toolCalls += 1
  }

  /** Checks that the agent may delegate one level further (OPEN-37). */
  enterDelegation(): void {
    this.#check('max_delegation_depth')
  }

  /** Creates the budget of a sub-agent, which inherits all limits that it does not override. */
  child(spec: BudgetSpec): AgentBudget {
    const declared = spec.layers.find((layer) => layer.own)?.values ?? {}
    const lifted = (bound: Bound) =>
      !this.#spec.tightenOnly && bound.own && bound.owner === this.#spec.agent && declared[bound.name] !== undefined
    const bounds = this.#bounds.filter((bound) => !lifted(bound))
    return new AgentBudget(spec, this.#host, bounds)
  }

  /** Clears timers and listeners and aborts the signal. No further calls can start. */
  close(): void {
    for (const cancel of this.#cancelTimers) cancel()
    this.#link.abort(cancelled(this.#spec.agent, 'the agent has ended'))
  }

  #named(name: LimitName): Bound[] {
    return this.#bounds.filter((bound) => bound.name === name)
  }

  #count(name: LimitName): void {
    this.#check(name)
    for (const bound of this.#named(name)) bound.used += 1
  }

  /** Throws if the limit is exhausted or a deadline has passed. */
  #check(name: LimitName): void {
    throwIfAborted(this.signal, this.#spec.agent)
    const now = this.#host.clock.now()
    const full = this.#bounds.find(
      (bound) => (bound.name === name || isDeadline(bound)) && usedOf(bound, this.#spec.agent, now) >= bound.max,
    )
    if (full !== undefined) throw this.#reach(full)
  }

  #reach(bound: Bound): RunFailure {
    const now = this.#host.clock.now()
    this.#spec.onLimit(bound, usedOf(bound, this.#spec.agent, now))
    return limitFailure(bound, this.#spec.agent, now)
  }

  #startTimer(bound: Bound): () => void {
    const { clock } = this.#host
    const remaining = bound.startedAt + bound.max * 1000 - clock.now()
    return clock.setTimer(Math.max(0, remaining), () => bound.stop.abort(this.#reach(bound)))
  }
}

function isDeadline(bound: Bound): boolean {
  return bound.name === 'max_duration_seconds'
}
