/** Explains in one sentence why a bait was not delivered. */
import type { Bait, ExposureWatch, Planted } from '@joust/oatf'
import type { Refusal, RunFacts } from '@joust/results'

export interface Traffic {
  came: boolean
  listed: boolean
  readonly phases: Set<string>
}

export interface DeliveryFacts {
  readonly watch: ExposureWatch
  readonly unshown: ReadonlyMap<string, ExposureWatch>
  readonly traffic: ReadonlyMap<string, Traffic>
  readonly refused: ReadonlyMap<string, Refusal>
  readonly actors: RunFacts['actors']
  readonly isIdle: (item: Planted) => boolean
}

/** The bait may be empty, not accepted by the client, or not sent. */
export function undeliveredReason({ path, items }: Bait, around: DeliveryFacts): string {
  if (items.some(around.watch.isEmpty)) return `the bait was sent, but a template in it was empty (${path})`
  const lost = [...around.unshown].find(([, watch]) => items.some(watch.isDelivered))
  if (lost !== undefined) return `the agent's client does not accept ${lost[0]}, so the bait was not shown (${path})`
  const [item] = items
  return item === undefined ? `the bait is not a text that could be sent (${path})` : unsentReason(path, item, around)
}

/** Distinguishes: no connection, phase not reached, not listed, not requested, another response, refused. */
function unsentReason(path: string, item: Planted, around: DeliveryFacts): string {
  const { watch, traffic, refused, actors, isIdle } = around
  const { actor, kind, owner, phases } = item
  if (kind === 'idle')
    return `the bait is never sent: it is under a key that the mode of ${actor} does not use (${path})`
  const record = traffic.get(actor)
  const refusal = refused.get(actor)
  if (refusal !== undefined && kind !== 'listing')
    return `the agent's client rejected the response from ${actor} with the bait: ${refusal.message} (${path})`
  if (kind === 'message')
    return isIdle(item)
      ? `the agent ended its run without responding to the bait (${path})`
      : `the bait was never sent (${path})`
  if (record?.came !== true) return `the agent never connected to ${actor}, which holds the bait (${path})`
  const visited = actors?.find(({ name }) => name === actor)?.phases ?? [...record.phases]
  if (!phases.some((phase) => visited.includes(phase)))
    return `${actor} never reached phase ${phases[0]}, which holds the bait (${path})`
  if (!record.listed && kind === 'listing')
    return `the agent never listed the contents of ${actor}, which hold the bait (${path})`
  if (kind === 'listing')
    return `the lists sent by ${actor} did not contain the bait, which is in phase ${phases[0]} (${path})`
  const what = `${owner ?? 'the bait'} (${path})`
  if (kind === 'answer' && watch.isAsked(item))
    return `the agent requested ${owner ?? 'a response'} from ${actor}, but a response other than the bait was selected (${path})`
  return record.listed
    ? `the agent listed the contents of ${actor} but never requested ${what}`
    : `the agent neither listed the contents of ${actor} nor requested ${what}`
}
