/** Limits of the agent file that are lowered. */
import type { Agent, RunLimits } from '@joust/agentformat'
import type { Restraint } from './restraint.ts'

/** The restraint that lowers a limit; none where it is as low already. */
export function lowered(kind: string, { source, document }: Agent, name: keyof RunLimits, most: number): Restraint[] {
  const now = document.constraints?.limits?.[name]
  if (now !== undefined && now <= most) return []
  return [
    {
      kind,
      source,
      text: `set ${name} to ${most}`,
      apply: (edited) => {
        const { constraints = {} } = edited
        const { limits = {} } = constraints
        const value = Math.min(limits[name] ?? most, most)
        return { ...edited, constraints: { ...constraints, limits: { ...limits, [name]: value } } }
      },
    },
  ]
}
