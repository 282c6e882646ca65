/** What is tried next. */
import { baitOf, mutations } from '@joust/oatf'
import type { SuiteAttack } from '../suite/options.ts'
import type { AttackerQuestion, Attempt } from './attacker.ts'
import { attackFrom, attemptOf, type Candidate, compareTried, type Tried } from './candidate.ts'
import { haltOf, type SearchOptions } from './options.ts'

/** A search that goes on. */
export interface Search {
  readonly given: SuiteAttack
  readonly options: SearchOptions
  readonly tried: Tried[]
  /** Proposals that came to nothing. */
  readonly refused: Attempt[]
}

/** The candidates of a round: what looks better than the attack as it was given is built on, the rest of the places is new. */
export async function candidatesFor(search: Search, root: Tried, round: number): Promise<Candidate[]> {
  const { options, tried } = search
  const better = tried.toSorted(compareTried).filter((one) => one !== root && isBetter(one, root))
  const bases = [...better.slice(0, Math.floor(options.branches / 2)), root]
  const shares = bases.map((base) => (base === root ? options.branches - bases.length + 1 : 1))
  const proposed = await Promise.all(bases.map((base, index) => ask(search, base, shares[index] ?? 1, round)))
  const known = new Set(tried.map(({ attack }) => attack.fingerprint))
  return proposed.flat().filter(({ attack: { fingerprint } }) => {
    if (known.has(fingerprint)) return false
    known.add(fingerprint)
    return true
  })
}

function isBetter(one: Tried, root: Tried): boolean {
  return compareTried({ ...one, round: 0 }, { ...root, round: 0 }) < 0
}

/** How often an attacker whose proposals come to nothing is asked again. */
const MOST_REFUSALS = 20

async function ask(search: Search, base: Tried, count: number, round: number): Promise<Candidate[]> {
  const { options, given } = search
  const made: Candidate[] = []
  for (let again = 0; again < MOST_REFUSALS && made.length < count && haltOf(options) === undefined; again++) {
    const question = questionFor(search, base, count - made.length, made)
    const answer = await options.attacker.propose(question, options)
    if (!answer.ok || answer.value.length === 0) {
      if (!answer.ok) refuse(search, [], answer.error)
      return made
    }
    for (const proposal of answer.value.slice(0, count - made.length)) {
      const attack = attackFrom(base.attack, proposal)
      const by = [...base.by, ...('by' in proposal ? proposal.by : ['attacker'])]
      if (!attack.ok) refuse(search, by, attack.error)
      else made.push({ file: fileFor(given.file, by, round, made.length), attack: attack.value, by, round })
    }
  }
  return made
}

function refuse({ refused, options }: Search, by: readonly string[], reason: string): void {
  refused.push({ by, bait: [], outcome: reason, did: [] })
  options.onRefused?.(by.length === 0 ? reason : `${by.join(' + ')} does not apply: ${reason}`)
}

/** Own words differ each time, so their number is told. */
function fileFor(file: string, by: readonly string[], round: number, index: number): string {
  const number = by.includes('attacker') ? `-${round}.${index + 1}` : ''
  return `${file}#${by.join('+')}${number}`
}

function questionFor(
  { given, tried, refused }: Search,
  base: Tried,
  count: number,
  made: readonly Candidate[],
): AttackerQuestion {
  const { name, description, indicators = [] } = given.attack.document.attack
  const pending = made.map(({ by }): Attempt => ({ by, bait: [], outcome: 'not run yet', did: [] }))
  return {
    attack: { name, ...(description === undefined ? {} : { description }) },
    goals: indicators.map((indicator) => indicator.description ?? indicator.id ?? '').filter(Boolean),
    bait: baitOf(base.attack),
    base: base.by,
    moves: mutations(),
    tried: [...tried.map(attemptOf), ...refused, ...pending],
    count,
  }
}
