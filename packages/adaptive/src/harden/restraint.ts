import type { Agent, AgentDocument, RunLimits } from '@joust/agentformat'
import type { Evidence } from './evidence.ts'

/** An edit of an agent file that limits the harm of a compromised agent. */
export interface Restraint {
  /** The name of a row in `restraintTable`. */
  readonly kind: string
  /** The edited document. */
  readonly source: string
  /** The effect as an imperative sentence. */
  readonly text: string
  /** The restricted server or remote agent. Undefined if the restraint affects the whole agent. */
  readonly alias?: string
  /** True if a model may ignore the restraint. */
  readonly weak?: true
  /** Applies the restraint to a document that other restraints may have changed already. Never loosens a restraint. */
  apply(document: AgentDocument): AgentDocument
}

/** A kind of restraint. */
export interface RestraintRow {
  readonly name: string
  readonly summary: string
  /** Proposes restraints against the successful attacks, least restrictive first. */
  propose(basis: Basis): readonly Restraint[]
}

export interface Basis {
  /** All distinct agents in the graph, starting with the root. */
  readonly agents: readonly Agent[]
  /** The evidence from all attacks. */
  readonly all: readonly Evidence[]
  /** The evidence from successful attacks. */
  readonly through: readonly Evidence[]
  /** Returns the aliases of an actor in the agent file. */
  aliasesOf(actor: string): readonly string[]
  readonly policies: readonly string[]
}

/** Removes duplicates, because several attacks may lead to the same restraint. */
export function distinct(restraints: readonly Restraint[]): Restraint[] {
  const unique = new Map<string, Restraint>()
  for (const one of restraints) {
    const key = JSON.stringify([one.source, one.text])
    if (!unique.has(key)) unique.set(key, one)
  }
  return [...unique.values()]
}

export function chosenFrom<T>(all: readonly T[], numbers: readonly number[]): T[] {
  return numbers.flatMap((number) => all.slice(number, number + 1))
}

/** Returns the restraint that lowers a limit, or an empty list if the limit is already low enough. */
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
