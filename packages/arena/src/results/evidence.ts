/** What shows that an attack went through, and who sent it where. */
import { tiers } from '@joust/oatf'
import type { DecidingEntry } from '../judge/verdict.ts'
import type { AttackResults, ResultIndicator, ResultIndicatorVerdict, ResultTarget } from './model.ts'

/** An indicator that matched, and what it is in the document. */
export interface Decisive {
  readonly verdict: ResultIndicatorVerdict
  readonly indicator: ResultIndicator | undefined
}

/** The match that shows most: that of the highest tier, the first of them. Undefined where nothing matched. */
export function decisiveMatch({ attack, verdict }: Pick<AttackResults, 'attack' | 'verdict'>): Decisive | undefined {
  const about = new Map(attack.indicators.map((indicator) => [indicator.id, indicator]))
  const matched = verdict.indicator_verdicts
    .filter(({ result }) => result === 'matched')
    .map((one): Decisive => ({ verdict: one, indicator: about.get(one.indicator_id) }))
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
