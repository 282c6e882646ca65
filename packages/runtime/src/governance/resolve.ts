/** Asking the registry, once per run and before anything starts (R-34, R-35, OPEN-47). */
import type { Agent } from '@joust/agentformat'
import { abortable } from '../abortable.ts'
import { limitNames } from '../bounds.ts'
import { messageOf } from '../model/errors.ts'
import type { GovernancePolicy, GovernanceProvider } from '../model/governance.ts'

/** The policies of one agent, and what could not be found. */
export interface ResolvedGovernance {
  readonly policies: readonly GovernancePolicy[]
  /** Required references that stop the run. */
  readonly missing: readonly string[]
  /** Advisory references that do not. */
  readonly absent: readonly string[]
}

type Lookup = { readonly policy: GovernancePolicy } | { readonly fault: string }

/** Resolves the policies of agents; each reference is asked for once, whoever names it. */
export function createGovernanceResolver(provider: GovernanceProvider | undefined, signal: AbortSignal) {
  const asked = new Map<string, Promise<Lookup>>()
  const find = (ref: string): Promise<Lookup> => {
    const pending = asked.get(ref) ?? lookUp(provider, ref, signal)
    asked.set(ref, pending)
    return pending
  }
  return async (agent: Agent): Promise<ResolvedGovernance> => {
    const policies: GovernancePolicy[] = []
    const missing: string[] = []
    const absent: string[] = []
    for (const ref of agent.document.constraints?.governance_policies ?? []) {
      const found = await find(ref.policy_ref)
      if ('policy' in found) policies.push(found.policy)
      else (ref.required === false ? absent : missing).push(`${ref.policy_ref}: ${found.fault}`)
    }
    const implicit = await findImplicit(provider, agent, signal)
    if ('fault' in implicit) missing.push(implicit.fault)
    else policies.push(...implicit.policies)
    return { policies, missing, absent }
  }
}

async function lookUp(provider: GovernanceProvider | undefined, ref: string, signal: AbortSignal): Promise<Lookup> {
  if (provider === undefined) return { fault: 'the runtime has no governance provider' }
  try {
    const policy = await abortable(signal, () => provider.resolve(ref))
    if (policy === undefined) return { fault: 'the registry does not know it' }
    const fault = policyFault(policy)
    return fault === undefined ? { policy } : { fault }
  } catch (thrown) {
    return { fault: messageOf(thrown) }
  }
}

async function findImplicit(
  provider: GovernanceProvider | undefined,
  agent: Agent,
  signal: AbortSignal,
): Promise<{ readonly policies: readonly GovernancePolicy[] } | { readonly fault: string }> {
  if (provider?.implicit === undefined) return { policies: [] }
  const { id } = agent.document.metadata
  try {
    // Annotations never take part in matching.
    const { annotations: _, ...metadata } = agent.document.metadata
    const policies = await abortable(signal, () => provider.implicit?.(metadata) ?? [])
    const fault = policies.map(policyFault).find((found) => found !== undefined)
    return fault === undefined ? { policies } : { fault: `an implicit policy of ${id}: ${fault}` }
  } catch (thrown) {
    return { fault: `the implicit policies of ${id}: ${messageOf(thrown)}` }
  }
}

/** A limit that is no number would bind nothing; such a policy counts as not found. */
function policyFault(policy: GovernancePolicy): string | undefined {
  if (typeof policy !== 'object' || policy === null || typeof policy.id !== 'string')
    return 'the registry gave no policy'
  const values = { ...policy.budget, ...policy.limits }
  const wrong = limitNames.find((name) => {
    const value: unknown = values[name]
    return value !== undefined && !(typeof value === 'number' && value >= 0)
  })
  return wrong === undefined ? undefined : `its ${wrong} is no number from 0 up`
}
