/** Governance policies: rules from a registry that no agent can override. */
import type { Budget, Conditions, Metadata, RunLimits } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { ApprovalKind, EventListener } from './events.ts'

/** A policy of the registry. Every part can only tighten restrictions. */
export interface GovernancePolicy {
  readonly id: string
  readonly budget?: Budget
  readonly limits?: RunLimits
  /** Names of allowed local tools, MCP tools, remote agents or skills. Lists of several policies are intersected. */
  readonly allowed_tools?: readonly string[]
  /** Names of denied tools. Lists of several policies are united. */
  readonly deny_tools?: readonly string[]
  readonly approvals?: readonly GovernanceApproval[]
  readonly guardrails?: readonly Guardrail[]
  /** Receives every event of the agents that the policy applies to. */
  readonly audit?: EventListener
}

/** An approval rule of a policy. */
export interface GovernanceApproval {
  /** Names to which the rule applies. @default all names */
  readonly targets?: readonly string[]
  readonly kinds?: readonly ApprovalKind[]
  /** Condition on the arguments of the call. @default always true */
  readonly condition?: Conditions
  readonly message_template?: string
}

/** Stages of a run that a guardrail can check. */
export const guardrailStages = ['input', 'output', 'tool_call', 'tool_result'] as const

/** The value that a guardrail checks. */
export interface GuardrailSubject {
  readonly stage: (typeof guardrailStages)[number]
  readonly agent: readonly string[]
  /** The tool, in stages of a tool call. */
  readonly target?: string
  readonly value: Value
}

/** A check of inputs, outputs, calls and results. A rejected promise counts as a denial. */
export interface Guardrail {
  readonly name: string
  /** Stages to check. With `output`, the agent's text is not streamed. @default all stages */
  readonly stages?: readonly GuardrailSubject['stage'][]
  check(subject: GuardrailSubject, signal: AbortSignal): Promise<GuardrailAnswer> | GuardrailAnswer
}

/** The decision of a guardrail. */
export interface GuardrailAnswer {
  readonly allowed: boolean
  readonly reason?: string
}

/**
 * The registry. It is queried once per run before the start; the answer applies to the whole run.
 *
 * @example
 * const policies = new Map([['corp/no-mail', { id: 'no-mail', deny_tools: ['send_mail'] }]])
 * const runtime = createRuntime({ governance: { resolve: (reference) => policies.get(reference) } })
 */
export interface GovernanceProvider {
  /** Returns the policy for a reference, or undefined if it does not exist. A rejected promise counts as not found. */
  resolve(policyRef: string): Promise<GovernancePolicy | undefined> | GovernancePolicy | undefined
  /** Returns policies that apply without being named in the document. A rejected promise stops the run. */
  implicit?(metadata: Metadata): Promise<readonly GovernancePolicy[]> | readonly GovernancePolicy[]
  /** Returns the references of all policies, for tools that choose one. */
  references?(): readonly string[]
}
