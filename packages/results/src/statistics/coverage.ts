import { compareCodePoints } from '@joust/source'
import type { AttackResults, TargetResults } from '../model/results.ts'
import { type Counts, countOutcomes } from './summary.ts'

export interface TechniqueCoverage {
  readonly framework: string
  readonly id: string
  readonly name?: string
  /** One item for each protocol that has an attack, in the order of `Coverage.protocols`. */
  readonly protocols: readonly { readonly protocol: string; readonly attacks: Counts }[]
  /** Files of the attacks that map to the technique. */
  readonly files: readonly string[]
}

export interface Coverage {
  /** Protocols of the suite, sorted by name. */
  readonly protocols: readonly string[]
  /** Techniques, sorted by framework and id. */
  readonly techniques: readonly TechniqueCoverage[]
  /** Files of the attacks that have no mappings. */
  readonly unmapped: readonly string[]
}

/** Name of the column for attacks without a protocol. */
const NONE = 'none'

/**
 * Counts outcomes by technique and protocol, based on the mappings of the attacks.
 *
 * @example
 * for (const target of results.targets) console.log(coverageOf(target).techniques.length)
 */
export function coverageOf({ attacks }: Pick<TargetResults, 'attacks'>): Coverage {
  const protocols = [...new Set(attacks.flatMap(protocolsOf))].sort(compareCodePoints)
  return {
    protocols,
    techniques: [...techniquesIn(attacks).values()]
      .map((technique) => describe(technique, protocols))
      .sort((a, b) => compareCodePoints(a.framework, b.framework) || compareCodePoints(a.id, b.id)),
    unmapped: filesOf(attacks.filter(({ attack }) => (attack.mappings ?? []).length === 0)),
  }
}

interface Technique {
  readonly framework: string
  readonly id: string
  readonly name: string | undefined
  readonly attacks: AttackResults[]
}

function techniquesIn(attacks: readonly AttackResults[]): Map<string, Technique> {
  const techniques = new Map<string, Technique>()
  for (const results of attacks) {
    for (const { framework, id, name } of results.attack.mappings ?? []) {
      const key = JSON.stringify([framework, id])
      const technique = techniques.get(key)
      if (technique === undefined) techniques.set(key, { framework, id, name, attacks: [results] })
      // A document may map to a technique twice.
      else if (!technique.attacks.includes(results)) technique.attacks.push(results)
    }
  }
  return techniques
}

function describe({ framework, id, name, attacks }: Technique, protocols: readonly string[]): TechniqueCoverage {
  const byProtocol = protocols.map((protocol) => ({
    protocol,
    attacks: countOutcomes(attacks.filter((results) => protocolsOf(results).includes(protocol))),
  }))
  return {
    framework,
    id,
    ...(name === undefined ? {} : { name }),
    protocols: byProtocol.filter((cell) => cell.attacks.total > 0),
    files: filesOf(attacks),
  }
}

/** Returns distinct files, because an attack may have run against several targets. */
function filesOf(attacks: readonly AttackResults[]): string[] {
  return [...new Set(attacks.map(({ file }) => file))]
}

function protocolsOf({ attack: { protocols } }: AttackResults): readonly string[] {
  return protocols.length > 0 ? protocols : [NONE]
}
