/** The context of one agent during a run. State shared by all agents is in `RunState`. */
import type { Agent } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import type { Value } from '@joust/source'
import type { AgentBudget } from '../budget/agent-budget.ts'
import type { Governance } from '../governance/governance.ts'
import type { EventBody, WarningCode } from '../model/events.ts'
import type { Journal } from '../model/journal.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { MemoryContext } from '../model/memory.ts'
import type { RuntimeOptions } from '../model/options.ts'

export interface AgentContext {
  readonly run: string
  /** Aliases from the root agent; empty for the root. */
  readonly path: readonly string[]
  /** The number of this execution, prefixed with the numbers of its callers. */
  readonly execution: string
  readonly agent: Agent
  readonly input: Value
  readonly budget: AgentBudget
  /** Aborted with a `RunFailure` on cancellation, timeout, an exceeded budget or the failure of a sibling. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number
  readonly options: RuntimeOptions
  /** Governance policies of this agent, fixed when the run starts. */
  readonly governance: Governance
  /** Undefined unless the agent declares a memory and the run has a memory scope. */
  readonly memory?: MemoryContext | undefined
  readonly journal?: Journal | undefined
  /** True to stream model text. @default true with a conversation */
  readonly stream?: boolean | undefined
  /** The model of an `agf.react` agent, resolved before the run. */
  readonly model?: LanguageModel | undefined
  /** Queues requests to people, so that a run asks one at a time. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  emit(event: EventBody): void
  warn(code: WarningCode, message: string): void
}
