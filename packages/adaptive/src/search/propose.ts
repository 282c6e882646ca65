import { baitOf, mutations } from '@joust/oatf'
import { defined } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { adaptiveLimits } from '../limits.ts'
import { attackFrom, attemptOf, compareTried, OWN_WORDS } from './candidate.ts'
import type { AttackerQuestion, Attempt, Candidate, MeteredSearch, Proposal, Tried } from './options.ts'

export interface Search {
  readonly given: SuiteAttack
  readonly options: MeteredSearch
  readonly tried: Tried[]
  /** Invalid or repeated proposals. */
  readonly refused: Attempt[]
  /** Fingerprints of all candidates. */
  readonly known: Set<string>
}

/** Creates the candidates of a round, based on the original attack and on candidates that did better. */
export async function candidatesFor(search: Search, root: Tried, round: number): Promise<Candidate[]> {
  const { options, tried } = search
  const better = tried
    .toSorted(compareTried)
    .filter((one) => one !== root && compareTried({ ...one, round: 0 }, { ...root, round: 0 }) < 0)
  const bases = [...better.slice(0, Math.floor(options.branches / 2)), root]
  const shares = bases.map((base) => (base === root ? options.branches - bases.length + 1 : 1))
  return (await Promise.all(bases.map((base, index) => ask(search, base, shares[index] ?? 1, round)))).flat()
}

async function ask(search: Search, base: Tried, count: number, round: number): Promise<Candidate[]> {
  const { options } = search
  const candidates: Candidate[] = []
  let faults = 0
  for (
    let questions = 0;
    questions < adaptiveLimits.attackerQuestions && candidates.length < count && faults < adaptiveLimits.attackerFaults;
    questions++
  ) {
    if (options.halted() !== undefined) break
    const answer = await options.attacker.propose(
      questionFor(search, base, count - candidates.length, candidates),
      options,
    )
    if (!answer.ok) {
      // A provider's error may contain the rejected key.
      refuse(search, [], options.redactor.text(answer.error))
      faults += 1
      continue
    }
    // The attacker has no more proposals.
    if (answer.value.length === 0) break
    const proposals = answer.value.slice(0, count - candidates.length)
    const results = proposals.map((proposal) => candidateFrom(search, base, proposal, round))
    candidates.push(...results.filter((one) => typeof one === 'object'))
    faults = results.every((one) => one === 'known') ? faults + 1 : 0
  }
  return candidates
}

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
    refuse(search, by, 'already tried')
    return 'known'
  }
  known.add(attack.value.fingerprint)
  // Texts from the attacker have no distinct name, so they are numbered.
  const number = by.includes(OWN_WORDS) ? `-${known.size}` : ''
  return { file: `${given.file}#${by.join('+')}${number}`, attack: attack.value, by, round }
}

function refuse({ refused, options }: Search, by: readonly string[], reason: string): void {
  refused.push({ by, bait: [], outcome: reason, did: [] })
  options.onRefused?.(by.length === 0 ? reason : `${by.join(' + ')} was not run: ${reason}`)
}

function questionFor(
  { given, tried, refused }: Search,
  base: Tried,
  count: number,
  candidates: readonly Candidate[],
): AttackerQuestion {
  const { name, description, indicators = [] } = given.attack.document.attack
  const pending = candidates.map(({ by }): Attempt => ({ by, bait: [], outcome: 'not run yet', did: [] }))
  const goals = indicators.map((indicator) => indicator.description ?? indicator.id).filter(Boolean)
  const attempts = [...tried.map(attemptOf), ...refused, ...pending]
  const attack = defined({ name, description })
  return { attack, goals, bait: baitOf(base.attack), base: base.by, moves: mutations(), tried: attempts, count }
}
