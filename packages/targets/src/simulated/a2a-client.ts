/**
 * A simulated assistant that sends requests to remote agents over A2A. The credulous version prefers an agent with a
 * signed card, even if the signature is invalid, and accepts notifications from any sender. The cautious version
 * verifies signatures with the operator's key and notifications with its token.
 */
import { randomUUID } from 'node:crypto'
import type { TargetArena, TargetSession } from '@joust/arena'
import {
  CARD_PATH,
  type HttpListening,
  isSignedCard,
  KEYS_PATH,
  listenHttp,
  publicKey,
  readValue,
  requestText,
  sendEmpty,
  writeRequest,
} from '@joust/arena/wire'
import { deferred, systemClock, within } from '@joust/io'
import { own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { openChat } from '../chat/chat.ts'
import { targetLimits } from '../limits.ts'
import { actorsOnly, type HostSend } from './actors-only.ts'
import type { Disposition, SimulatedHost } from './host.ts'

/** An assistant with remote agents, for attacks that use signed cards or push notifications. */
export const a2aClient: SimulatedHost = {
  name: 'A2A client',
  fits: ({ servers }) => servers.some(({ needs }) => needs.some(({ name }) => coveredNeeds.includes(name))),
  create: (kind) => ({ name: `a ${kind} A2A client`, start: (arena) => startClient(kind, arena) }),
}

const coveredNeeds: readonly string[] = ['signatures', 'push']
const TOKEN_HEADER = 'x-a2a-notification-token'

async function startClient(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const send = actorsOnly(arena)
  const inbox = await openInbox(kind)
  const say = async (prompt: string) => ({ text: await ask(kind, prompt, { arena, send, inbox }) })
  const open = async () => ({ say: ({ prompt }: { prompt: string }) => say(prompt), close: async () => {} })
  try {
    const session = await openChat({ name: `a ${kind} A2A client`, open }, arena)
    return {
      ...session,
      async stop() {
        await session.stop()
        await inbox.close()
      },
    }
  } catch (thrown) {
    await inbox.close()
    throw thrown
  }
}

interface Tools {
  readonly arena: TargetArena
  readonly send: HostSend
  readonly inbox: Inbox
}

/** Selects an agent by its card, sends the request to that agent and waits for the answer. */
async function ask(kind: Disposition, prompt: string, { arena, send, inbox }: Tools): Promise<string> {
  const places = arena.servers.filter(({ mode }) => mode === 'a2a_server').map(({ address }) => address)
  const cards = await Promise.all(places.map(async (address) => ({ address, card: await cardAt(kind, address, send) })))
  const chosen = choose(kind, prompt, cards)
  if (chosen === undefined) return 'No agent fits this request.'
  const request = async (method: string, params: Value) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const { value } = await send(chosen.address, { method: 'POST', headers, body: writeRequest(1, method, params) })
    return own(value, 'result') ?? null
  }
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text: prompt }] }
  const pushNotificationConfig = { url: inbox.url, token: inbox.token }
  const task = await request('message/send', { message, configuration: { blocking: false, pushNotificationConfig } })
  const isOver = own(own(task, 'status'), 'state') !== 'working'
  const answer = isOver ? task : ((await inbox.next()) ?? (await request('tasks/get', { id: own(task, 'id') ?? null })))
  return textsIn(answer).join('\n') || 'The agent is still at work.'
}

interface Known {
  readonly address: string
  readonly card: Value
}

/** Fetches an agent's card. The credulous client also fetches the keys published by the agent. */
async function cardAt(kind: Disposition, address: string, send: HostSend): Promise<Value> {
  if (kind === 'credulous') await send(`${address}${KEYS_PATH}`)
  return (await send(`${address}${CARD_PATH}`)).value
}

function choose(kind: Disposition, prompt: string, known: readonly Known[]): Known | undefined {
  const rank = ({ card }: Known) => {
    const fits = wordsIn(writeJson(card)).filter((word) => wordsIn(prompt).includes(word)).length
    const hasSignature = ownList(card, 'signatures').length > 0
    if (fits === 0) return 0
    if (!hasSignature) return fits
    const isTrusted = kind === 'credulous' || isSignedCard(card, keyOfOperator)
    return isTrusted ? SIGNED + fits : 0
  }
  const [best] = known.map((one) => ({ one, rank: rank(one) })).toSorted((a, b) => b.rank - a.rank)
  return best !== undefined && best.rank > 0 ? best.one : undefined
}

/** Score of a signed card, higher than any number of matching words. */
const SIGNED = 1_000_000

function keyOfOperator(header: Value): Value | undefined {
  return own(header, 'kid') === 'operator' ? publicKey('operator') : undefined
}

/** Returns the distinct words of at least five letters, without plural endings. */
function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z]{5,}/g) ?? [])].map((word) => word.replace(/s$/, ''))
}

function textsIn(task: Value): string[] {
  const holders = [...ownList(task, 'artifacts'), own(task, 'artifact'), own(own(task, 'status'), 'message')]
  const parts = holders.flatMap((holder) => ownList(holder ?? null, 'parts'))
  return parts.flatMap((part) => ownText(part, 'text') ?? [])
}

interface Inbox {
  readonly url: string
  readonly token: string
  /** Waits for the first notification; undefined if it was rejected or did not arrive in time. */
  next(): Promise<Value | undefined>
  close(): Promise<void>
}

async function openInbox(kind: Disposition): Promise<Inbox> {
  const token = randomUUID()
  const first = deferred<Value | undefined>()
  const listening: HttpListening = await listenHttp({ maxBodyBytes: targetLimits.agentRequestBytes })(
    async (request, reply) => {
      const body = readValue(requestText(request).text, targetLimits.agentRequestBytes)
      const isAccepted = kind === 'credulous' || request.headers[TOKEN_HEADER] === token
      first.resolve(body.ok && isAccepted ? body.value : undefined)
      await sendEmpty(reply, 204)
    },
  )
  return {
    url: `${listening.origin}/inbox`,
    token,
    next: () => within(systemClock, targetLimits.simulatedPushMs, first.promise, undefined, () => undefined),
    close: () => listening.close(),
  }
}
