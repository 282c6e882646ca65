/** Interface of policies. */
import type { Agent } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { CallableSet } from '../model/callable.ts'
import type { Conversation } from '../model/conversation.ts'
import type { PolicyPlace } from '../model/events.ts'
import type { AgentContext } from './agent-context.ts'

/** Options of a delegation. */
export interface DelegateOptions {
  readonly place?: PolicyPlace
  /** Cancels this delegation, in addition to the agent's own signal; used to stop siblings. */
  readonly signal?: AbortSignal | undefined
}

/** One execution of a policy. `config` was checked against the schema of the document. */
export interface PolicyCall<Config = ValueRecord> {
  readonly agent: Agent
  readonly config: Config
  readonly input: Value
  readonly context: AgentContext
  /** The conversation; present for `agf.react` if the run is served or the agent has a memory. */
  readonly conversation?: Conversation | undefined
  /** Runs a local agent with approval, limits, memory and validation. Rejects with a `RunFailure`. */
  delegate(alias: string, input: Value, options?: DelegateOptions): Promise<Value>
  /** Connects the servers and remote agents of the agent. */
  openCallables(): Promise<CallableSet>
}

/** Runs a policy. The caller validates the output. */
export type PolicyRunner<Config = ValueRecord> = (call: PolicyCall<Config>) => Promise<Value>
