/** Restraints: edits of an agent file that limit the harm of a compromised agent. */
import type { Agent, AgentDocument, RunLimits } from '@joust/agentformat'
import type { Evidence } from './evidence.ts'

/** One edit of one document. */
export interface Restraint {
  /** The name of its row in the table. */
  readonly kind: string
  /** The document that it edits. */
  readonly source: string
  /** The effect as an imperative sentence. */
  readonly text: string
  /** The server or remote agent that it concerns; absent if it concerns the whole agent. */
  readonly alias?: string
  /** True if a model may ignore it. */
  readonly weak?: true
  /** Applies the restraint to a document. Other restraints may have been applied before; it never loosens them. */
  apply(document: AgentDocument): AgentDocument
}

/** A kind of restraint. */
export interface RestraintRow {
  readonly name: string
  readonly summary: string
  /** The restraints to try against the successful attacks; the least restrictive come first. */
  propose(basis: Basis): readonly Restraint[]
}

/** The basis of proposals. */
export interface Basis {
  /** Every agent of the graph once, the root first. */
  readonly agents: readonly Agent[]
  /** The evidence of every attack. */
  readonly all: readonly Evidence[]
  /** The evidence of successful attacks. */
  readonly through: readonly Evidence[]
  /** Returns the aliases of an actor in the agent. */
  aliasesOf(actor: string): readonly string[]
  /** Policies that the host can resolve. */
  readonly policies: readonly string[]
}

/** Removes restraints with the same text, which two attacks may suggest. */
export function distinct(restraints: readonly Restraint[]): Restraint[] {
  const unique = new Map<string, Restraint>()
  for (const one of restraints) {
    const key = JSON.stringify([one.source, one.text])
    if (!unique.has(key)) unique.set(key, one)
  }
  return [...unique.values()]
}

/** Selects items by number. */
export function chosenFrom<T>(all: readonly T[], numbers: readonly number[]): T[] {
  return numbers.flatMap((number) => all.slice(number, number + 1))
}

/** The restraint that lowers a limit; empty if the limit is already that low. */
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
