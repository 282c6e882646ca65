/** An agent's governance policies: tool lists, limits and guardrails. */
import { abortable } from '@joust/io'
import { cloneValue, messageOf } from '@joust/source'
import type { LimitLayer } from '../budget/bounds.ts'
import type { GovernancePolicy, Guardrail, GuardrailSubject } from '../model/governance.ts'

/** The policies of an agent and its ancestors. */
export interface Governance {
  readonly policies: readonly GovernancePolicy[]
}

/**
 * Returns the reason why a tool is denied; undefined if it is allowed. Deny lists are united, allow lists intersected.
 */
export function toolDenial(governance: Governance, names: readonly string[]): string | undefined {
  for (const { id, allowed_tools, deny_tools } of governance.policies) {
    if (deny_tools?.some((denied) => names.includes(denied))) return `denied by policy ${id}`
    if (allowed_tools !== undefined && !allowed_tools.some((allowed) => names.includes(allowed)))
      return `not allowed by policy ${id}`
  }
  return undefined
}

/** Returns the limits of policies, which no agent can override. */
export function governanceLayers(policies: readonly GovernancePolicy[]): LimitLayer[] {
  return policies.map(({ id, budget, limits }) => ({
    source: `governance.${id}`,
    own: false,
    values: { ...budget, ...limits },
  }))
}

/** Returns the reason why a guardrail denies a value; undefined if none does. Guardrails that fail deny the value. */
export async function guardrailDenial(
  governance: Governance,
  subject: GuardrailSubject,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { id, guardrails = [] } of governance.policies) {
    for (const guardrail of guardrails) {
      const denial = await denialOf(guardrail, subject, signal)
      if (denial !== undefined) return `guardrail ${guardrail.name} of policy ${id} ${denial}`
    }
  }
  return undefined
}

/** True if a guardrail checks the agent's output. Then no text may reach a client before the check. */
export function checksOutput({ policies }: Governance): boolean {
  return policies.some(({ guardrails = [] }) => guardrails.some((guardrail) => checks(guardrail, 'output')))
}

function checks({ stages }: Guardrail, stage: GuardrailSubject['stage']): boolean {
  return stages === undefined || stages.includes(stage)
}

async function denialOf(guardrail: Guardrail, subject: GuardrailSubject, signal: AbortSignal) {
  if (!checks(guardrail, subject.stage)) return undefined
  try {
    // A copy, so that the guardrail cannot change the value.
    const { allowed, reason } = await abortable(signal, () => guardrail.check(cloneValue(subject), signal))
    if (allowed === true) return undefined
    return reason === undefined ? 'denied it' : `denied it: ${reason}`
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return `failed: ${messageOf(thrown)}`
  }
}
