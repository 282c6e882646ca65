/** The evidence that an attack got through, with sender and receiver. */
import { tiers } from '@joust/oatf'
import { bothEnds, count, firstFew } from '@joust/source'
import type { DecidingEntry } from '../judge/verdict.ts'
import type { Exposure } from '../model/outcome.ts'
import type { AttackResults, ResultAttack, ResultIndicator, ResultIndicatorVerdict, ResultTarget } from './model.ts'
import { outcomeVerdicts } from './outcome-order.ts'

/** An indicator that matched, and what it is in the document. */
export interface Decisive {
  readonly verdict: ResultIndicatorVerdict
  readonly indicator: ResultIndicator | undefined
}

/** The indicator that a verdict is about: by its position, or by its id in results of another origin. */
export function indicatorOf(
  { indicators }: Pick<ResultAttack, 'indicators'>,
  { indicator_id }: ResultIndicatorVerdict,
  position: number,
): ResultIndicator | undefined {
  const here = indicators[position]
  return here?.id === indicator_id ? here : indicators.find(({ id }) => id === indicator_id)
}

/** The match that shows most: the first one of the highest tier. Undefined where nothing matched. */
export function decisiveMatch(assessed: Pick<AttackResults, 'attack' | 'verdict' | 'counted'>): Decisive | undefined {
  const all = outcomeVerdicts(assessed).map((verdict, position): Decisive => {
    return { verdict, indicator: indicatorOf(assessed.attack, verdict, position) }
  })
  const matched = all.filter(({ verdict }) => verdict.result === 'matched')
  return matched.reduce<Decisive | undefined>(
    (best, one) => (best === undefined || rank(one) > rank(best) ? one : best),
    undefined,
  )
}

function rank({ indicator }: Decisive): number {
  return indicator?.tier === undefined ? -1 : tiers.indexOf(indicator.tier)
}

/** Who was at the other end of an actor. */
const peers: { readonly [kind in ResultTarget['kind']]?: string } = {
  endpoint: 'target',
  'self-play': 'peer',
  none: 'peer',
}

/** `agent → ledger, tools/call`: who sent a message, to whom, and what it was. */
export function wayOf({ actor, flow, surface }: DecidingEntry, kind: ResultTarget['kind'] = 'agent'): string {
  const peer = peers[kind] ?? 'agent'
  const [from, to] = flow === 'in' ? [peer, actor] : [actor, peer]
  return `${from} → ${to}${surface === '' ? '' : `, ${surface}`}`
}

const MOST_BAITS = 3

/** `was sent 4 of 6 planted texts; the bait: attack.… (delivered)`, no path over `most`; undefined without plants. */
export function exposureText(
  { planted, delivered, bait, guessed }: Exposure,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (planted.length === 0) return undefined
  const sent = `was sent ${delivered.length} of ${count(planted.length, 'planted text')}`
  if (bait.length === 0) return sent
  const there = new Set(delivered)
  const told = firstFew(bait, MOST_BAITS, (path) => {
    return `${shortPath(path, most)} (${there.has(path) ? 'delivered' : 'not delivered'})`
  })
  return `${sent}; the bait${guessed === true ? ', guessed' : ''}: ${told.join(', ')}`
}

/** A long path by its beginning and its end: the end says what it is. */
function shortPath(path: string, most: number): string {
  const head = Math.floor(most / 3)
  return path.length <= most ? path : bothEnds(path, head, most - head - 1)
}
