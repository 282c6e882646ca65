/** Asking the registry, once per run and before anything starts (R-34, R-35, OPEN-47). */

import type { Agent } from '@joust/agentformat'
import { messageOf } from '@joust/source'
import type { GovernancePolicy, GovernanceProvider } from '../model/governance.ts'
import { policyFault } from './check-policy.ts'

/** The policies of one agent, and what could not be found. */
interface ResolvedGovernance {
  readonly policies: readonly GovernancePolicy[]
  /** Required references that stop the run. */
  readonly missing: readonly string[]
  /** Advisory references that do not. */
  readonly absent: readonly string[]
}

/** Waits for an answer, but not for ever. */
export type Ask = <T>(work: () => PromiseLike<T> | T) => Promise<T>

type Lookup = { readonly policy: GovernancePolicy } | { readonly fault: string }

/** Resolves the policies of agents; each reference is asked for once, whoever names it. */
export function createGovernanceResolver(provider: GovernanceProvider | undefined, ask: Ask) {
  const asked = new Map<string, Promise<Lookup>>()
  const find = (ref: string): Promise<Lookup> => {
    const pending = asked.get(ref) ?? lookUp(provider, ref, ask)
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
    const implicit = await findImplicit(provider, agent, ask)
    if ('fault' in implicit) missing.push(implicit.fault)
    else policies.push(...implicit.policies)
    return { policies, missing, absent }
  }
}

async function lookUp(provider: GovernanceProvider | undefined, ref: string, ask: Ask): Promise<Lookup> {
  if (provider === undefined) return { fault: 'the runtime has no governance provider' }
  try {
    const policy = await ask(() => provider.resolve(ref))
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
  ask: Ask,
): Promise<{ readonly policies: readonly GovernancePolicy[] } | { readonly fault: string }> {
  if (provider?.implicit === undefined) return { policies: [] }
  const { id } = agent.document.metadata
  try {
    // Annotations never take part in matching.
    const { annotations: _, ...metadata } = agent.document.metadata
    const policies = await ask(() => provider.implicit?.(metadata))
    if (!Array.isArray(policies)) return { fault: `the implicit policies of ${id}: the registry returned no list` }
    const fault = policies.map(policyFault).find((found) => found !== undefined)
    return fault === undefined ? { policies } : { fault: `an implicit policy of ${id}: ${fault}` }
  } catch (thrown) {
    return { fault: `the implicit policies of ${id}: ${messageOf(thrown)}` }
  }
}
