/** Resolves governance policies once, before a run starts (decision 0019, R-34, R-35, OPEN-47). */
import type { Agent } from '@joust/agentformat'
import { messageOf } from '@joust/source'
import type { GovernancePolicy, GovernanceProvider } from '../model/governance.ts'
import { policyProblem } from './check-policy.ts'

interface ResolvedGovernance {
  readonly policies: readonly GovernancePolicy[]
  /** Messages about unresolved required references, which prevent the run. */
  readonly missing: readonly string[]
  /** Messages about unresolved advisory references, which become warnings. */
  readonly absent: readonly string[]
}

export type WithTimeout = <T>(work: () => PromiseLike<T> | T) => Promise<T>

type Lookup = { readonly policy: GovernancePolicy } | { readonly problem: string }

/** Creates a resolver that queries each reference only once. */
export function createGovernanceResolver(provider: GovernanceProvider | undefined, withTimeout: WithTimeout) {
  const lookups = new Map<string, Promise<Lookup>>()
  const find = (ref: string): Promise<Lookup> => {
    const pending = lookups.get(ref) ?? lookUp(provider, ref, withTimeout)
    lookups.set(ref, pending)
    return pending
  }
  return async (agent: Agent): Promise<ResolvedGovernance> => {
    const policies: GovernancePolicy[] = []
    const missing: string[] = []
    const absent: string[] = []
    for (const ref of agent.document.constraints?.governance_policies ?? []) {
      const lookup = await find(ref.policy_ref)
      if ('policy' in lookup) policies.push(lookup.policy)
      else (ref.required === false ? absent : missing).push(`${ref.policy_ref}: ${lookup.problem}`)
    }
    const implicit = await findImplicit(provider, agent, withTimeout)
    if ('problem' in implicit) missing.push(implicit.problem)
    else policies.push(...implicit.policies)
    return { policies, missing, absent }
  }
}

async function lookUp(
  provider: GovernanceProvider | undefined,
  ref: string,
  withTimeout: WithTimeout,
): Promise<Lookup> {
  if (provider === undefined) return { problem: 'no governance provider is configured' }
  try {
    const policy = await withTimeout(() => provider.resolve(ref))
    if (policy === undefined) return { problem: 'unknown policy' }
    const problem = policyProblem(policy)
    return problem === undefined ? { policy } : { problem }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

async function findImplicit(
  provider: GovernanceProvider | undefined,
  agent: Agent,
  withTimeout: WithTimeout,
): Promise<{ readonly policies: readonly GovernancePolicy[] } | { readonly problem: string }> {
  if (provider?.implicit === undefined) return { policies: [] }
  const { id } = agent.document.metadata
  try {
    // Matching must not use annotations.
    const { annotations: _, ...metadata } = agent.document.metadata
    const policies = await withTimeout(() => provider.implicit?.(metadata))
    if (!Array.isArray(policies)) return { problem: `implicit policies of ${id}: the registry did not return a list` }
    const problem = policies.map(policyProblem).find((message) => message !== undefined)
    return problem === undefined ? { policies } : { problem: `implicit policy of ${id}: ${problem}` }
  } catch (thrown) {
    return { problem: `implicit policies of ${id}: ${messageOf(thrown)}` }
  }
}
