/** The evidence that an attack got through, with sender and receiver. */
import { type IndicatorVerdict, tiers } from '@joust/oatf'
import { bothEnds, count, firstFew } from '@joust/source'
import type { DecidingEntry } from '../judge/verdict.ts'
import type { Exposure } from '../model/outcome.ts'
import type { AttackResults, ResultIndicator, ResultIndicatorVerdict, ResultTarget } from './model.ts'
import { outcomeMatches } from './outcome-order.ts'

/** An indicator that matched, and what it is in the document. */
export interface Decisive {
  readonly verdict: ResultIndicatorVerdict
  readonly indicator: ResultIndicator | undefined
}

/** The verdicts of all indicators, with the matches that the outcome rests on in their places. */
export function outcomeVerdicts<T extends IndicatorVerdict>({
  verdict,
  matches = [],
}: {
  readonly verdict: { readonly indicator_verdicts: readonly T[] }
  readonly matches?: readonly T[]
}): readonly T[] {
  const open = [...matches]
  return verdict.indicator_verdicts.map((one) => {
    const at = open.findIndex(({ indicator_id }) => indicator_id === one.indicator_id)
    return at < 0 ? one : (open.splice(at, 1)[0] ?? one)
  })
}

/** The match that shows most: the first one of the highest tier. Undefined where nothing matched. */
export function decisiveMatch(assessed: Pick<AttackResults, 'attack' | 'verdict' | 'matches'>): Decisive | undefined {
  const about = new Map(assessed.attack.indicators.map((indicator) => [indicator.id, indicator]))
  const matched = outcomeMatches(assessed).map((one): Decisive => {
    return { verdict: one, indicator: about.get(one.indicator_id) }
  })
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
