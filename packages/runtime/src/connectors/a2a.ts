/** Remote agents over A2A, protocol 1.0 and 0.3. */

import type { SendMessageRequest } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  type RequestOptions,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { abortable, onAbort, pause, startWithin, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import type { UrlBinding } from '../model/bindings.ts'
import type { RemoteAgentConnection, RemoteRequest, RemoteSkill, RemoteThread } from '../model/connection.ts'
import { RefusedAnswer } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { errorObservation, type Observation } from '../model/observation.ts'
import { RemoteAnswer } from './a2a-answer.ts'
import { fetchCard, type ReadCard } from './a2a-card.ts'
import { messageRequest } from './a2a-request.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { createRedact, type Redact, WHOLE } from './secrets.ts'

/** Fetches the agent's card and prepares to talk to it. The signal ends the attempt, not the connection. */
export async function connectRemoteAgent(binding: UrlBinding, signal: AbortSignal): Promise<RemoteAgentConnection> {
  const redact = createRedact(binding)
  const reach = createBoundedFetch(binding)
  try {
    const read = await abortable(signal, () => fetchCard(binding.url, (url, init) => reach(url, { ...init, signal })))
    const open = (fetchImpl: typeof fetch) => openClient(binding, read, fetchImpl)
    // A card that leads nowhere is noticed now.
    await open(reach)
    const timeoutMs = binding.timeoutMs ?? runtimeLimits.remoteRequestMs
    return new RemoteConnection(read, { open, reach, redact, timeoutMs })
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const message = redact(messageOf(thrown))
    if (thrown instanceof RefusedAnswer) throw new RefusedAnswer('agent-card', message, { cause: thrown })
    throw new Error(message, { cause: thrown })
  }
}

function openClient({ url }: UrlBinding, { card }: ReadCard, fetchImpl: typeof fetch): Promise<Client> {
  const compat = { legacyCompat: { enabled: true }, fetchImpl }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(compat), new RestTransportFactory(compat)],
    cardResolver: { resolve: async () => card },
  })
  return factory.createFromUrl(url)
}

interface Link {
  open(fetchImpl: typeof fetch): Promise<Client>
  readonly reach: typeof fetch
  readonly redact: Redact
  readonly timeoutMs: number
}

class RemoteConnection implements RemoteAgentConnection {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly skills: readonly RemoteSkill[]
  readonly #streaming: boolean
  readonly #link: Link
  readonly #closing = new AbortController()

  constructor({ name, description, skills, streaming }: ReadCard, link: Link) {
    this.name = name
    this.description = description
    this.skills = skills
    this.#streaming = streaming
    this.#link = link
  }

  async send(request: RemoteRequest, signal: AbortSignal): Promise<Observation> {
    const message = messageRequest(request)
    if (!message.ok) return errorObservation(message.error)
    const { redact, timeoutMs } = this.#link
    const talk = (over: AbortSignal) => this.#talk(message.value, request.thread, over)
    try {
      return await startWithin(systemClock, timeoutMs, [signal, this.#closing.signal], talk)
    } catch (thrown) {
      if (signal.aborted || thrown instanceof RefusedAnswer) throw thrown
      return errorObservation(redact(messageOf(thrown), WHOLE))
    }
  }

  isOpen(): boolean {
    return !this.#closing.signal.aborted
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection is closed'))
  }

  async #talk(
    request: SendMessageRequest,
    thread: RemoteThread | undefined,
    signal: AbortSignal,
  ): Promise<Observation> {
    const { open, reach, redact } = this.#link
    const hearing = hear(reach)
    const client = await open(hearing.fetch)
    const answer = new RemoteAnswer()
    onAbort(signal, () => cancel(client, answer))
    try {
      await this.#hearOut(client, request, answer, signal)
      return answer.observe(thread)
    } catch (thrown) {
      if (signal.aborted || !hearing.refuses(thrown)) throw thrown
      const operation = this.#streaming ? 'message/stream' : 'message/send'
      throw new RefusedAnswer(operation, redact(messageOf(thrown)), { cause: thrown })
    }
  }

  async #hearOut(
    client: Client,
    request: SendMessageRequest,
    answer: RemoteAnswer,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#streaming) {
      for await (const event of client.sendMessageStream(request, { signal })) {
        answer.takeEvent(event)
        // A stream need not end with the task.
        if (answer.isOver) return
      }
    } else {
      const result = await client.sendMessage(request, { signal })
      if ('messageId' in result) answer.takeMessage(result)
      else answer.takeTask(result)
    }
    if (!answer.isComplete && answer.taskId !== '') await poll(client, answer, { signal })
  }
}

/** Agents may answer before the work is done. */
async function poll(
  client: Client,
  answer: RemoteAnswer,
  options: RequestOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { remoteFirstPollMs, remoteLongestPollMs } = runtimeLimits
  for (let wait: number = remoteFirstPollMs; !answer.isComplete; wait = Math.min(wait * 2, remoteLongestPollMs)) {
    await pause(systemClock, wait, options.signal)
    options.signal.throwIfAborted()
    answer.takeTask(await client.getTask({ tenant: '', id: answer.taskId }, options))
  }
}

/** Tells the agent that nobody is waiting any more; whether it hears that does not matter. */
function cancel(client: Client, { taskId }: RemoteAnswer): void {
  if (taskId === '') return
  const signal = AbortSignal.timeout(runtimeLimits.remoteCancelMs)
  client.cancelTask({ tenant: '', id: taskId, metadata: undefined }, { signal }).catch(() => {})
}

/** Watches whether the last request was answered. */
interface Hearing {
  readonly fetch: typeof fetch
  /** Whether a failure means that an answer arrived and was not accepted. */
  refuses(thrown: unknown): boolean
}

/** Watches the requests of one message. */
function hear(reach: typeof fetch): Hearing {
  let answered = false
  return {
    async fetch(input, init) {
      answered = false
      const response = await reach(input, init)
      answered = response.ok
      return response
    },
    refuses: (thrown) => answered && !isOfAgent(thrown) && !isOfNetwork(thrown),
  }
}

/** An error that the agent answered with; in a stream it is the cause of what is thrown. */
function isOfAgent(thrown: unknown): boolean {
  const error = [thrown, field(thrown, 'cause')].find((one) => field(one, 'transport') !== undefined)
  if (error === undefined) return false
  // For some malformed answers the SDK makes up an error of the server, which belongs to no request.
  const envelope = field(error, 'errorResponse')
  return envelope === undefined || field(envelope, 'id') !== null
}

/** A connection that broke before the answer was complete. */
function isOfNetwork(thrown: unknown): boolean {
  return thrown instanceof TypeError && typeof field(thrown.cause, 'code') === 'string'
}

function field(thing: unknown, name: string): unknown {
  return typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined
}
