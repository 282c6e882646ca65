/** The policies that bind an agent, together: all lists, limits, guardrails (section 6 of the format's constraints). */
import { abortable } from '@joust/io'
import { cloneValue, messageOf } from '@joust/source'
import type { LimitLayer } from '../budget/bounds.ts'
import type { GovernancePolicy, Guardrail, GuardrailSubject } from '../model/governance.ts'

/** The policies that bind an agent: its own and those of the agents above it. */
export interface Governance {
  readonly policies: readonly GovernancePolicy[]
}

/** Why a tool may not be used; undefined when it may. Allow lists intersect, deny lists unite. */
export function toolFault(governance: Governance, names: readonly string[]): string | undefined {
  for (const { id, allowed_tools, deny_tools } of governance.policies) {
    if (deny_tools?.some((denied) => names.includes(denied))) return `the policy ${id} denies it`
    if (allowed_tools !== undefined && !allowed_tools.some((allowed) => names.includes(allowed))) {
      return `the policy ${id} does not allow it`
    }
  }
  return undefined
}

/** The limits of policies, as layers that nothing lifts. */
export function governanceLayers(policies: readonly GovernancePolicy[]): LimitLayer[] {
  return policies.map(({ id, budget, limits }) => ({
    source: `governance.${id}`,
    own: false,
    values: { ...budget, ...limits },
  }))
}

/** Why a guardrail stops a value; undefined when all of them let it pass. A guardrail that fails stops the value. */
export async function guardrailFault(
  governance: Governance,
  subject: GuardrailSubject,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { id, guardrails = [] } of governance.policies) {
    for (const guardrail of guardrails) {
      const fault = await faultOf(guardrail, subject, signal)
      if (fault !== undefined) return `the guardrail ${guardrail.name} of the policy ${id} ${fault}`
    }
  }
  return undefined
}

async function faultOf(guardrail: Guardrail, subject: GuardrailSubject, signal: AbortSignal) {
  try {
    // A copy for each: a guardrail judges values, it does not change them.
    const { allowed, reason } = await abortable(signal, () => guardrail.check(cloneValue(subject), signal))
    if (allowed === true) return undefined
    return reason === undefined ? 'stops it' : `stops it: ${reason}`
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return `failed: ${messageOf(thrown)}`
  }
}
