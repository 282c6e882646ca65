/** What a policy is given and what it returns. */
import type { Agent } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { CallableSet } from '../model/callable.ts'
import type { Conversation } from '../model/conversation.ts'
import type { PolicyPlace } from '../model/events.ts'
import type { AgentContext } from './agent-context.ts'

/** How a sub-agent is started. */
export interface DelegateOptions {
  readonly place?: PolicyPlace
  /** Cancels this one in addition to the agent's own signal: how a policy stops siblings. */
  readonly signal?: AbortSignal | undefined
}

/** One execution of a policy. `Config` is checked by the document's schema. */
export interface PolicyCall<Config = ValueRecord> {
  readonly agent: Agent
  readonly config: Config
  readonly input: Value
  readonly context: AgentContext
  /** Present when the run is served or the agent has a memory; for `agf.react`. */
  readonly conversation?: Conversation | undefined
  /** Runs a local agent: approval, limits, memory, validation. Rejects with a `RunFailure`. */
  delegate(alias: string, input: Value, options?: DelegateOptions): Promise<Value>
  /** Connects what the agent can call. */
  openCallables(): Promise<CallableSet>
}

/** Runs a policy. What it resolves to is validated by the caller. */
export type PolicyRunner<Config = ValueRecord> = (call: PolicyCall<Config>) => Promise<Value>
