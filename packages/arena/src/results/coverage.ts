/** Which techniques were tried over which protocols, and what came of it. */
import type { AttackResult } from '@joust/oatf'
import { compareCodePoints } from '@joust/source'
import type { AttackResults, Results } from './model.ts'
import { type Counts, countResults } from './summary.ts'

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
export function coverageOf({ attacks }: Pick<Results, 'attacks'>): Coverage {
  const protocols = [...new Set(attacks.flatMap(protocolsOf))].sort(compareCodePoints)
  return {
    protocols,
    techniques: [...techniquesIn(attacks).values()]
      .map((technique) => describe(technique, protocols))
      .sort((a, b) => compareCodePoints(a.framework, b.framework) || compareCodePoints(a.id, b.id)),
    unmapped: attacks.filter(({ attack }) => (attack.mappings ?? []).length === 0).map(({ file }) => file),
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
  const byProtocol = protocols.map((protocol) => ({ protocol, attacks: countResults(resultsOver(attacks, protocol)) }))
  return {
    framework,
    id,
    ...(name === undefined ? {} : { name }),
    protocols: byProtocol.filter((cell) => cell.attacks.total > 0),
    files: attacks.map(({ file }) => file),
  }
}

function resultsOver(attacks: readonly AttackResults[], protocol: string): AttackResult[] {
  return attacks.filter((results) => protocolsOf(results).includes(protocol)).map(({ verdict }) => verdict.result)
}

function protocolsOf({ attack: { protocols } }: AttackResults): readonly string[] {
  return protocols.length > 0 ? protocols : [NONE]
}
