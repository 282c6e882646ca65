import type { RestraintRow } from '../restraint.ts'

/** A governance policy. Only the host knows the policy's content, so a run is needed to see the effect. */
export const governance: RestraintRow = {
  name: 'governance',
  summary: 'apply a governance policy from the registry',
  propose: ({ agents: [root], policies }) => {
    if (root === undefined) return []
    const applied = (root.document.constraints?.governance_policies ?? []).map(({ policy_ref }) => policy_ref)
    return policies
      .filter((ref) => !applied.includes(ref))
      .map((policy_ref) => ({
        kind: governance.name,
        source: root.source,
        text: `apply the policy ${policy_ref}`,
        apply: (document) => {
          const { constraints = {} } = document
          const governance_policies = [...(constraints.governance_policies ?? []), { policy_ref }]
          return { ...document, constraints: { ...constraints, governance_policies } }
        },
      }))
  },
}
