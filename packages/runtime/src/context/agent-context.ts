/** What one agent knows while it runs; what all agents of a run share is in `RunState`. */

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

/** What an agent that runs knows about its run. */
export interface AgentContext {
  readonly run: string
  /** Aliases from the root; empty for the root. */
  readonly path: readonly string[]
  readonly agent: Agent
  /** What the agent was given. */
  readonly input: Value
  readonly budget: AgentBudget
  /** Fires with a `RunFailure` on cancellation, a passed deadline, a used-up budget or the failure of a sibling. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** A number from 0 up to 1. */
  random(): number
  readonly options: RuntimeOptions
  /** Policies of the registry that bind this agent, pinned for the run. */
  readonly governance: Governance
  /** Present when the agent declares a memory and has a scope. */
  readonly memory?: MemoryContext | undefined
  /** Present when the run keeps one. */
  readonly journal?: Journal | undefined
  /** Whether models stream their text; absent: only when there is a conversation, for whoever waits for it. */
  readonly stream?: boolean | undefined
  /** The model of an `agf.react` agent, found when the run was prepared. */
  readonly model?: LanguageModel | undefined
  /** Does work with people once no other agent of the run does: they are asked one thing at a time. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  emit(event: EventBody): void
  warn(code: WarningCode, message: string): void
}
