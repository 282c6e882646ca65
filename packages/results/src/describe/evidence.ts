/** Selects and formats the evidence of a successful attack. */
import { tiers } from '@joust/oatf'
import { bothEnds, count, firstFew } from '@joust/source'
import type { Exposure } from '../model/outcome.ts'
import { outcomeVerdicts } from '../model/outcome-order.ts'
import type {
  AttackResults,
  ResultAttack,
  ResultIndicator,
  ResultIndicatorVerdict,
  ResultTarget,
} from '../model/results.ts'
import type { DecidingEntry } from '../model/verdict.ts'

/** A matched indicator. */
export interface Decisive {
  readonly verdict: ResultIndicatorVerdict
  readonly indicator: ResultIndicator | undefined
}

/** Returns the indicator that a verdict refers to: by position or, in results from other tools, by id. */
export function indicatorOf(
  { indicators }: Pick<ResultAttack, 'indicators'>,
  { indicator_id }: ResultIndicatorVerdict,
  position: number,
): ResultIndicator | undefined {
  const here = indicators[position]
  return here?.id === indicator_id ? here : indicators.find(({ id }) => id === indicator_id)
}

/** Returns the first match with the highest tier; undefined if nothing matched. */
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

/** Name of the peer of the actors, by target kind. */
const peers: { readonly [kind in ResultTarget['kind']]: string } = {
  agent: 'agent',
  model: 'agent',
  endpoint: 'target',
  command: 'agent',
  acp: 'agent',
  http: 'agent',
  function: 'agent',
  'self-play': 'peer',
  none: 'peer',
}

/** Formats sender, receiver and operation of a message, for example `agent → ledger, tools/call`. */
export function wayOf({ actor, flow, surface }: DecidingEntry, kind: ResultTarget['kind'] = 'agent'): string {
  const peer = peers[kind]
  const [from, to] = flow === 'in' ? [peer, actor] : [actor, peer]
  return `${from} → ${to}${surface === '' ? '' : `, ${surface}`}`
}

const MOST_BAITS = 3

/**
 * Formats an exposure, for example `was sent 4 of 6 planted texts, 3 read by the model; the bait: a tool result (read,
 * attack.…)`. Returns undefined if there are no planted texts.
 *
 * @param most The maximum length of a path.
 *
 * @example
 * exposureText({ planted: ['a', 'b'], delivered: ['a'], bait: ['a'] })
 */
export function exposureText(
  { planted, delivered, read, bait, guessed }: Exposure,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (planted.length === 0) return undefined
  const readCount = read === undefined ? '' : `, ${read.length} read by the model`
  const delivery = `was sent ${delivered.length} of ${count(planted.length, 'planted text')}${readCount}`
  if (bait.length === 0) return delivery
  const isDelivered = new Set(delivered)
  const baits = firstFew(bait, MOST_BAITS, (path) => {
    const state = read?.includes(path) ? 'read' : isDelivered.has(path) ? 'delivered' : 'not delivered'
    const name = plantNames.find(([pattern]) => pattern.test(path))?.[1]
    return name === undefined ? `${shortPath(path, most)} (${state})` : `${name} (${state}, ${shortPath(path, most)})`
  })
  return `${delivery}; the bait${guessed === true ? ', guessed' : ''}: ${baits.join(', ')}`
}

/** Names of planted texts by path. The first pattern that matches applies. */
const plantNames: readonly (readonly [RegExp, string])[] = [
  [/\.x-joust-during\b/, 'a message before a response'],
  [/\.tools\[\d+\]\.responses\b/, 'a tool result'],
  [/\.tools\[\d+\]\.description\b/, 'a tool description'],
  [/\.tools\[\d+\]\.(?:inputSchema|parameters)\b/, 'a parameter schema'],
  [/\.tools\[/, 'a tool definition'],
  [/\.resource(?:s|_templates)\[\d+\]\.content\b/, 'resource content'],
  [/\.resource(?:s|_templates)\[/, 'a resource definition'],
  [/\.prompts\[\d+\]\.responses\b/, 'prompt messages'],
  [/\.prompts\[/, 'a prompt definition'],
  [/\.state\.instructions\b/, 'the server instructions'],
  [/\.agent_card\b/, 'the agent card'],
  [/\.(?:task|tool|sampling|elicitation)_responses\[/, 'a response'],
  [/\.elicitations\[/, 'a question to the user'],
  [/\.run_agent_input\.messages\[/, 'a chat message'],
  [/\.run_agent_input\.context\[/, 'a context item'],
  [/\.run_agent_input\.state\b/, 'the shared state'],
  [/\.(?:actions|on_enter)\[/, 'a message from the attacker'],
]

/** Shortens a path in the middle, because the end is the most specific part. */
function shortPath(path: string, most: number): string {
  const head = Math.floor(most / 3)
  return path.length <= most ? path : bothEnds(path, head, most - head - 1)
}
