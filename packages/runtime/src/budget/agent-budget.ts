/** What a run may use and has used (OPEN-34 to OPEN-38): a budget per agent, bound by its limits and those above. */
import { type Clock, type LinkedSignal, linkSignals } from '@joust/io'
import { cancelled, type RunFailure, throwIfAborted } from '../model/errors.ts'
import type { TokenUsage, Usage } from '../model/events.ts'
import { type Bound, boundsOf, type LimitLayer, type LimitName, limitFailure, usedOf } from './bounds.ts'

/** Counters of one run. */
interface Totals {
  readonly startedAt: number
  inputTokens: number
  outputTokens: number
  estimated: boolean
  modelCalls: number
  toolCalls: number
}

/** Counters at the start of a run; `workedMs` is what earlier processes have already worked on it. */
export function newTotals(clock: Clock, workedMs = 0): Totals {
  const startedAt = clock.now() - workedMs
  return { startedAt, inputTokens: 0, outputTokens: 0, estimated: false, modelCalls: 0, toolCalls: 0 }
}

/** The counters as a host sees them. */
export function usageOf(totals: Totals, clock: Clock): Usage {
  const { startedAt, ...counts } = totals
  return {
    ...counts,
    totalTokens: counts.inputTokens + counts.outputTokens,
    durationMs: clock.now() - startedAt,
  }
}

/** What makes the budget of an agent. */
export interface BudgetSpec {
  /** Aliases from the root. */
  readonly agent: readonly string[]
  readonly layers: readonly LimitLayer[]
  /** The agent's `tighten_only_invariant`: false lets limits that its sub-agents declare exceed its own (OPEN-36). */
  readonly tightenOnly: boolean
  /** What stops the agent besides its limits. */
  readonly cancel: AbortSignal
  /** When its deadlines start to count; default: now. */
  readonly startedAt?: number
  /** Called for each limit that the agent reaches. */
  onLimit(bound: Bound, used: number): void
}

/** What the budgets of one run share. */
export interface BudgetHost {
  readonly clock: Clock
  readonly totals: Totals
}

/** The budget of one agent in one run. Starting what is not allowed throws a `RunFailure` (`limit_exceeded`). */
export class AgentBudget {
  /** Fires with the run, when a limit of this agent is passed, and when it ends. Its reason is a `RunFailure`. */
  readonly signal: AbortSignal
  readonly #spec: BudgetSpec
  readonly #host: BudgetHost
  readonly #bounds: readonly Bound[]
  readonly #link: LinkedSignal
  readonly #cancelTimers: readonly (() => void)[]
  readonly #ended = new AbortController()

  constructor(spec: BudgetSpec, host: BudgetHost, inherited: readonly Bound[] = []) {
    this.#spec = spec
    this.#host = host
    const startedAt = spec.startedAt ?? host.clock.now()
    const fresh = spec.layers.flatMap((layer) => boundsOf(layer, spec.agent, startedAt))
    this.#bounds = [...inherited, ...fresh]
    const stops = this.#bounds.filter(canStop).map((bound) => bound.stop.signal)
    // A signal of its own even without stops: foreign code attaches listeners to it and forgets them.
    this.#link = linkSignals([spec.cancel, ...stops, this.#ended.signal])
    this.signal = this.#link.signal
    this.#cancelTimers = fresh.filter(isDeadline).map((bound) => this.#startTimer(bound))
  }

  /** The earliest deadline, in the clock's milliseconds. */
  get deadline(): number | undefined {
    const ends = this.#bounds.filter(isDeadline).map((bound) => bound.startedAt + bound.max * 1000)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  /** What the whole run has used so far. */
  get usage(): Usage {
    return usageOf(this.#host.totals, this.#host.clock)
  }

  /** Checks that a model call may start, without counting it: to be used before a person is asked. */
  checkModelCall(): void {
    this.#check('max_token_usage')
    this.#check('max_llm_calls')
  }

  /** Counts a model call; to be called before every attempt. */
  startModelCall(): void {
    this.#check('max_token_usage')
    this.#count('max_llm_calls')
    this.#host.totals.modelCalls += 1
  }

  /** Charges tokens. Past a budget it throws, and everything under that budget is stopped. */
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

  /** Checks that a tool call may start, without counting it: to be used before a person is asked. */
  checkToolCall(): void {
    this.#check('max_tool_calls')
  }

  startToolCall(): void {
    this.#count('max_tool_calls')
    this.#host.totals.toolCalls += 1
  }

  /** Checks that a sub-agent may run one level down (OPEN-37). */
  enterDelegation(): void {
    this.#check('max_delegation_depth')
  }

  /** The budget of a sub-agent: bound by everything here, unless the invariant is lifted for a limit it declares. */
  child(spec: BudgetSpec): AgentBudget {
    const declared = spec.layers.find((layer) => layer.own)?.values ?? {}
    const lifted = (bound: Bound) =>
      !this.#spec.tightenOnly && bound.own && bound.owner === this.#spec.agent && declared[bound.name] !== undefined
    const bounds = this.#bounds.filter((bound) => !lifted(bound))
    return new AgentBudget(spec, this.#host, bounds)
  }

  /** Ends timers and listeners, and fires the signal for whoever is still working. Nothing can be started any more. */
  close(): void {
    for (const cancel of this.#cancelTimers) cancel()
    this.#ended.abort(cancelled(this.#spec.agent, new Error('the agent has ended')))
    this.#link.close()
  }

  #named(name: LimitName): Bound[] {
    return this.#bounds.filter((bound) => bound.name === name)
  }

  #count(name: LimitName): void {
    this.#check(name)
    for (const bound of this.#named(name)) bound.used += 1
  }

  /** A call that cannot end within the limit is not started; a deadline that has passed refuses everything. */
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
    const left = bound.startedAt + bound.max * 1000 - clock.now()
    return clock.setTimer(Math.max(0, left), () => bound.stop.abort(this.#reach(bound)))
  }
}

function isDeadline(bound: Bound): boolean {
  return bound.name === 'max_duration_seconds'
}

/** Counts refuse the next call; only tokens and time can run out while work is under way. */
function canStop(bound: Bound): boolean {
  return isDeadline(bound) || bound.name === 'max_token_usage'
}
