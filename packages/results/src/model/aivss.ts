/** The properties of an agent in a score of [OWASP AIVSS](https://aivss.owasp.org) 0.8. */

/** Risk amplification factors, in the order of the specification. */
export const aivssFactors = [
  'autonomy',
  'tools',
  'language',
  'context',
  'non_determinism',
  'opacity',
  'persistence',
  'identity',
  'multi_agent',
  'self_modification',
] as const

export type AivssFactor = (typeof aivssFactors)[number]

/** Factor levels: absent, limited, unrestricted. */
export const factorLevels = [0, 0.5, 1] as const

export type FactorLevel = (typeof factorLevels)[number]

/** Strengths of an agent's mitigation. */
export const aivssMitigations = ['none', 'partial', 'strong'] as const

/** The known factors of an agent and its mitigation, by default `none`. */
export interface AivssProfile {
  readonly factors: { readonly [factor in AivssFactor]?: FactorLevel }
  readonly mitigation?: (typeof aivssMitigations)[number]
}
