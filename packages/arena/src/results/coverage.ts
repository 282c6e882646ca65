/** Which techniques were tried over which protocols, and with what outcome. */
import { compareCodePoints } from '@joust/source'
import type { AttackResults, TargetResults } from './model.ts'
import { type Counts, countOutcomes } from './summary.ts'

/** A technique of a framework. */
export interface TechniqueCoverage {
  readonly framework: string
  readonly id: string
  readonly name?: string
  /** One for each protocol over which it was tried, in the order of `Coverage.protocols`. */
  readonly protocols: readonly { readonly protocol: string; readonly attacks: Counts }[]
  /** The files of the attacks that map to it. */
  readonly files: readonly string[]
}

/** What a suite covers. */
export interface Coverage {
  /** Every protocol of the suite, by name. */
  readonly protocols: readonly string[]
  /** By framework, then by id. */
  readonly techniques: readonly TechniqueCoverage[]
  /** The files of attacks that name no technique. */
  readonly unmapped: readonly string[]
}

/** Where an attack that speaks no protocol is counted. */
const NONE = 'none'

/** Technique × protocol × outcome, from the mappings of the attacks. */
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
      const known = techniques.get(key)
      if (known === undefined) techniques.set(key, { framework, id, name, attacks: [results] })
      // A document may name a technique twice.
      else if (!known.attacks.includes(results)) known.attacks.push(results)
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

/** Once each: an attack may have been tried on several targets. */
function filesOf(attacks: readonly AttackResults[]): string[] {
  return [...new Set(attacks.map(({ file }) => file))]
}

function protocolsOf({ attack: { protocols } }: AttackResults): readonly string[] {
  return protocols.length > 0 ? protocols : [NONE]
}
