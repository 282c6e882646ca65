/** Governance policies: rules of a registry that agents cannot override. */
import type { Budget, Conditions, Metadata, RunLimits } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { ApprovalKind, EventListener } from './events.ts'

/** A policy from the registry. Every field can only tighten restrictions. */
export interface GovernancePolicy {
  readonly id: string
  readonly budget?: Budget
  readonly limits?: RunLimits
  /** Names of allowed local tools, MCP tools, remote agents or skills. Lists from several policies are intersected. */
  readonly allowed_tools?: readonly string[]
  /** Names of denied tools. Lists from several policies are united. */
  readonly deny_tools?: readonly string[]
  readonly approvals?: readonly GovernanceApproval[]
  readonly guardrails?: readonly Guardrail[]
  /** Receives every event of agents to which the policy applies. */
  readonly audit?: EventListener
}

/** A rule that requires approval for calls. */
export interface GovernanceApproval {
  /** Names of the tools, agents and skills whose calls require approval. @default all */
  readonly targets?: readonly string[]
  readonly kinds?: readonly ApprovalKind[]
  /** Condition on the arguments of a call. @default always true */
  readonly condition?: Conditions
  readonly message_template?: string
}

/** Stages of a run that a guardrail can check. */
export const guardrailStages = ['input', 'output', 'tool_call', 'tool_result'] as const

/** A value to check. */
export interface GuardrailSubject {
  readonly stage: (typeof guardrailStages)[number]
  readonly agent: readonly string[]
  /** Name of the called tool; only in the tool stages. */
  readonly target?: string
  readonly value: Value
}

/** A check of inputs, outputs, tool calls or tool results. A rejected promise counts as a denial. */
export interface Guardrail {
  readonly name: string
  /** Stages to check. If `output` is among them, the agent's text is not streamed. @default all stages */
  readonly stages?: readonly GuardrailSubject['stage'][]
  check(subject: GuardrailSubject, signal: AbortSignal): Promise<GuardrailAnswer> | GuardrailAnswer
}

export interface GuardrailAnswer {
  readonly allowed: boolean
  readonly reason?: string
}

/**
 * The governance registry. It is queried before each run; its response applies to the entire run.
 *
 * @example
 * const policies = new Map([['corp/no-mail', { id: 'no-mail', deny_tools: ['send_mail'] }]])
 * const runtime = createRuntime({ governance: { resolve: (reference) => policies.get(reference) } })
 */
export interface GovernanceProvider {
  /** Returns the referenced policy; undefined if it does not exist. A rejected promise counts as not found. */
  resolve(policyRef: string): Promise<GovernancePolicy | undefined> | GovernancePolicy | undefined
  /** Returns policies that apply without a reference in the document. A rejected promise stops the run. */
  implicit?(metadata: Metadata): Promise<readonly GovernancePolicy[]> | readonly GovernancePolicy[]
  /** Returns the references of all policies, for tools that let users choose one. */
  references?(): readonly string[]
}
