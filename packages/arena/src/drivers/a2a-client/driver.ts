/** `a2a_client` (§7.2.5): plays a client that sends an agent one request after the other. */

import { deferred } from '@joust/io'
import { messageOf, type Value } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import { CARD_METHOD } from '../a2a/places.ts'
import { pushNotification } from '../a2a/push.ts'
import type { Driver, DriverContext, Entry, Scene } from '../driver.ts'
import { performActions } from '../perform-actions.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { createEndpoint } from './endpoint.ts'
import { exchange, fetchCard, lookUpCard, type Peer } from './exchange.ts'

/** A client over HTTP; there is no A2A over pipes. */
export function createA2aClientDriver(given: DriverContext, end: ClientEnd): Driver {
  const { stage, quiet } = createQuietStage(given.stage)
  const closing = new AbortController()
  const over = AbortSignal.any([given.signal, closing.signal])
  /** What entry actions have begun: their own phase, or a later one, waits for it. */
  const underWay = new Set<Promise<void>>()
  let peer: Peer | undefined
  const wired = () => {
    peer ??= peerOf({ ...given, stage }, end, over)
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
        send: async ({ method, params }) => {
          await findAgent(agent, method)
          await act(agent, scene, method, params)
        },
      })
      await Promise.all(underWay)
    },
    async send(entry, scene) {
      const keep = (work: Promise<void>) => {
        underWay.add(work)
        void work.finally(() => underWay.delete(work))
      }
      return sendEntry(wired(), entry, scene, keep)
    },
    async enact(name, value, scene) {
      if (name !== 'send_push_notification') return false
      // As for a server: the endpoint may call back before it answers. A client has not been given a token.
      void pushNotification({ ...given, stage }, () => undefined, value, scene, over)
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

/** The document need not ask for the card; but without one, the agent behind a bare origin could not be found. */
async function findAgent(peer: Peer, method: string): Promise<void> {
  if (method !== CARD_METHOD && peer.endpoint.needsCard()) await lookUpCard(peer)
}

function act(
  peer: Peer,
  scene: Scene,
  method: string,
  params: Value | undefined,
  answered?: () => void,
): Promise<void> {
  if (method !== CARD_METHOD) return exchange(peer, scene, method, params, answered)
  return fetchCard(peer, scene, params)
}

/** Begins an exchange and resolves when it is on its way; `reply` settles with its first answer. Never rejects. */
async function sendEntry(
  peer: Peer,
  { method, params }: Entry,
  scene: Scene,
  keep: (work: Promise<void>) => void,
): Promise<{ readonly reply?: Promise<void> }> {
  const fail = (thrown: unknown) => peer.context.stage.report('not-delivered', `${method}: ${messageOf(thrown)}`)
  try {
    await findAgent(peer, method)
  } catch (thrown) {
    fail(thrown)
    return {}
  }
  const first = deferred()
  const work = act(peer, scene, method, params, first.resolve).catch(fail)
  keep(work)
  return { reply: Promise.race([first.promise, work]) }
}
