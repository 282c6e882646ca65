/** Governance policies: rules that a registry holds and no agent can lift. */
import type { Budget, Conditions, Metadata, RunLimits } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { ApprovalKind, EventListener } from './events.ts'

/** A policy of the registry. Every part only tightens. */
export interface GovernancePolicy {
  readonly id: string
  readonly budget?: Budget
  readonly limits?: RunLimits
  /** Lists of several policies intersect. Entries name local tools, MCP tools, remote agents or skills. */
  readonly allowed_tools?: readonly string[]
  /** Lists of several policies unite. */
  readonly deny_tools?: readonly string[]
  readonly approvals?: readonly GovernanceApproval[]
  readonly guardrails?: readonly Guardrail[]
  /** Gets every event of the agents that the policy binds. */
  readonly audit?: EventListener
}

/** When a policy asks for an approval. */
export interface GovernanceApproval {
  /** Names that it is about; absent: all names. */
  readonly targets?: readonly string[]
  readonly kinds?: readonly ApprovalKind[]
  /** Over the arguments of the call; absent: always. */
  readonly condition?: Conditions
  readonly message_template?: string
}

/** What a guardrail looks at. */
export interface GuardrailSubject {
  readonly stage: 'input' | 'output' | 'tool_call' | 'tool_result'
  readonly agent: readonly string[]
  /** The tool, in the stages that concern one. */
  readonly target?: string
  readonly value: Value
}

/** A check of values on their way. A rejection counts as a denial. */
export interface Guardrail {
  readonly name: string
  check(subject: GuardrailSubject, signal: AbortSignal): Promise<GuardrailAnswer> | GuardrailAnswer
}

/** What a guardrail says. */
export interface GuardrailAnswer {
  readonly allowed: boolean
  readonly reason?: string
}

/** The registry. It is asked once per run, before anything starts; its answer holds for that run. */
export interface GovernanceProvider {
  /** The policy of a reference, or undefined when there is none. A rejection counts as not found. */
  resolve(policyRef: string): Promise<GovernancePolicy | undefined> | GovernancePolicy | undefined
  /** Policies that apply although the document names none. A rejection stops the run. */
  implicit?(metadata: Metadata): Promise<readonly GovernancePolicy[]> | readonly GovernancePolicy[]
}
