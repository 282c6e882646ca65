/** What is tried next. */
import { baitOf, mutations } from '@joust/oatf'
import { arenaLimits } from '../model/limits.ts'
import type { SuiteAttack } from '../suite/options.ts'
import { attackFrom, attemptOf, compareTried, OWN_WORDS } from './candidate.ts'
import type { AttackerQuestion, Attempt, Candidate, MeteredSearch, Proposal, Tried } from './options.ts'

/** A search in progress. */
export interface Search {
  readonly given: SuiteAttack
  readonly options: MeteredSearch
  readonly tried: Tried[]
  /** Proposals that could not be used. */
  readonly refused: Attempt[]
  /** Fingerprints of everything that was run or is about to be. */
  readonly known: Set<string>
}

/** The candidates of a round: some build on what looks better than the attack as it was given, the others are new. */
export async function candidatesFor(search: Search, root: Tried, round: number): Promise<Candidate[]> {
  const { options, tried } = search
  const better = tried.toSorted(compareTried).filter((one) => one !== root && isBetter(one, root))
  const bases = [...better.slice(0, Math.floor(options.branches / 2)), root]
  const shares = bases.map((base) => (base === root ? options.branches - bases.length + 1 : 1))
  const proposed = await Promise.all(bases.map((base, index) => ask(search, base, shares[index] ?? 1, round)))
  return proposed.flat()
}

function isBetter(one: Tried, root: Tried): boolean {
  return compareTried({ ...one, round: 0 }, { ...root, round: 0 }) < 0
}

async function ask(search: Search, base: Tried, count: number, round: number): Promise<Candidate[]> {
  const { options } = search
  const made: Candidate[] = []
  let faults = 0
  for (
    let asked = 0;
    asked < arenaLimits.attackerQuestions && made.length < count && faults < arenaLimits.attackerFaults;
    asked++
  ) {
    if (options.halted() !== undefined) break
    const answer = await options.attacker.propose(questionFor(search, base, count - made.length, made), options)
    if (!answer.ok) {
      // A provider may repeat the key that it refuses.
      refuse(search, [], options.redactor.text(answer.error))
      faults += 1
      continue
    }
    // An attacker that has nothing to propose is done.
    if (answer.value.length === 0) break
    const wanted = answer.value.slice(0, count - made.length)
    const fresh = wanted.map((proposal) => candidateFrom(search, base, proposal, round))
    made.push(...fresh.filter((one) => typeof one === 'object'))
    faults = fresh.every((one) => one === 'known') ? faults + 1 : 0
  }
  return made
}

/** The candidate for a proposal; a proposal that cannot be used is reported back. */
function candidateFrom(
  search: Search,
  base: Tried,
  proposal: Proposal,
  round: number,
): Candidate | 'known' | 'impossible' {
  const { given, known } = search
  const attack = attackFrom(base.attack, proposal)
  const by = [...base.by, ...('by' in proposal ? proposal.by : [OWN_WORDS])]
  if (!attack.ok) {
    refuse(search, by, attack.error)
    return 'impossible'
  }
  if (known.has(attack.value.fingerprint)) {
    refuse(search, by, 'this has been tried before')
    return 'known'
  }
  known.add(attack.value.fingerprint)
  // Own words differ each time, so they are numbered.
  const number = by.includes(OWN_WORDS) ? `-${known.size}` : ''
  return { file: `${given.file}#${by.join('+')}${number}`, attack: attack.value, by, round }
}

function refuse({ refused, options }: Search, by: readonly string[], reason: string): void {
  refused.push({ by, bait: [], outcome: reason, did: [] })
  options.onRefused?.(by.length === 0 ? reason : `${by.join(' + ')} is not run: ${reason}`)
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
