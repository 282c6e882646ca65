/** The interface between agents and their policies. */
import type { Agent } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { CallableSet } from '../model/callable.ts'
import type { Conversation } from '../model/conversation.ts'
import type { PolicyPlace } from '../model/events.ts'
import type { AgentContext } from './agent-context.ts'

export interface DelegateOptions {
  readonly place?: PolicyPlace
  /** Cancels this delegation, in addition to the agent's own signal. Used to stop siblings. */
  readonly signal?: AbortSignal | undefined
}

/** One execution of a policy. `config` matches the document schema. */
export interface PolicyCall<Config = ValueRecord> {
  readonly agent: Agent
  readonly config: Config
  readonly input: Value
  readonly context: AgentContext
  /** The conversation of an `agf.react` agent; undefined unless the run is served or the agent has a memory. */
  readonly conversation?: Conversation | undefined
  /** Runs a local agent with approval, limits, memory and validation. Rejects with a `RunFailure`. */
  delegate(alias: string, input: Value, options?: DelegateOptions): Promise<Value>
  openCallables(): Promise<CallableSet>
}

/** Runs a policy. The caller validates the output. */
export type PolicyRunner<Config = ValueRecord> = (call: PolicyCall<Config>) => Promise<Value>
