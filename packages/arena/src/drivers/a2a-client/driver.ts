/** The `a2a_client` mode ([OATF §7.2.5](https://oatf.io/specification/protocol-bindings/a2a/)): requests in order. */

import { deferred } from '@joust/io'
import { messageOf } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import { CARD_METHOD } from '../a2a/endpoints.ts'
import { pushNotification } from '../a2a/push.ts'
import type { Driver, DriverContext, Entry, Scene } from '../driver.ts'
import { performActions } from '../perform-actions.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { createEndpoint } from './endpoint.ts'
import { exchange, fetchCard, lookUpCard, type Peer } from './exchange.ts'

export function createA2aClientDriver(base: DriverContext, end: ClientEnd): Driver {
  const { stage, quiet } = createQuietStage(base.stage)
  const closing = new AbortController()
  const over = AbortSignal.any([base.signal, closing.signal])
  /** Exchanges started by entry actions, awaited by their phase or a later phase. */
  const underWay = new Set<Promise<void>>()
  let peer: Peer | undefined
  const wired = () => {
    peer ??= peerOf({ ...base, stage }, end, over)
    return peer
  }
  return {
    async open() {
      wired()
    },
    async perform(scene, signal) {
      const agent = wired()
      await performActions(stage, scene, {
        isOver: () => signal.aborted || over.aborted,
        send: async (entry) => {
          await findAgent(agent, entry.method)
          await act(agent, scene, entry)
        },
      })
      await Promise.all(underWay)
    },
    async send(entry, scene) {
      const track = (work: Promise<void>) => {
        underWay.add(work)
        void work.finally(() => underWay.delete(work))
      }
      return sendEntry(wired(), entry, scene, track)
    },
    async enact(name, value, scene) {
      if (name !== 'send_push_notification') return false
      // Not awaited, as in the server: the endpoint may call back before it responds. A client has no registered peers.
      void pushNotification({ ...base, stage }, () => [], value, scene, over)
      return true
    },
    async close() {
      quiet()
      closing.abort()
    },
  }
}

function peerOf(context: DriverContext, end: ClientEnd, over: AbortSignal): Peer {
  const { actor } = context.stage
  if (end.kind !== 'http') throw new ArenaError('not_wired', `${actor}: A2A needs HTTP, not a pipe`)
  if (!URL.canParse(end.url)) throw new ArenaError('not_wired', `${actor}: ${end.url} is not a URL`)
  let last = 0
  const endpoint = createEndpoint(context, end)
  return { context, endpoint, send: end.send, headers: end.headers ?? {}, over, nextId: () => ++last }
}

/** Fetches the agent card if the endpoint is unknown, even if the document does not request the card. */
async function findAgent(peer: Peer, method: string): Promise<void> {
  if (method !== CARD_METHOD && peer.endpoint.needsCard()) await lookUpCard(peer)
}

function act(peer: Peer, scene: Scene, entry: Entry, answered?: () => void): Promise<void> {
  if (entry.method !== CARD_METHOD) return exchange(peer, scene, entry, answered)
  return fetchCard(peer, scene, entry)
}

/** Resolves once the entry is sent; `reply` settles with the first response. Never rejects. */
async function sendEntry(
  peer: Peer,
  entry: Entry,
  scene: Scene,
  track: (work: Promise<void>) => void,
): Promise<{ readonly reply?: Promise<void> }> {
  const { method } = entry
  const fail = (thrown: unknown) => peer.context.stage.report('not-delivered', `${method}: ${messageOf(thrown)}`)
  try {
    await findAgent(peer, method)
  } catch (thrown) {
    fail(thrown)
    return {}
  }
  const first = deferred()
  const work = act(peer, scene, entry, first.resolve).catch(fail)
  track(work)
  return { reply: Promise.race([first.promise, work]) }
}
