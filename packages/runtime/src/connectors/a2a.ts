/** Connections to remote agents over A2A 1.0 and 0.3. */
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
import {
  errorObservation,
  type Observation,
  type RemoteAgentConnection,
  type RemoteThread,
} from '../model/connection.ts'
import { RefusedAnswer } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { RemoteAnswer } from './a2a-answer.ts'
import { fetchCard, type ReadCard } from './a2a-card.ts'
import { messageRequest } from './a2a-request.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { createRedact, type Redact, UNLIMITED } from './secrets.ts'

/** Fetches the agent card and opens the connection. The signal cancels only the attempt to connect. */
export async function connectRemoteAgent(binding: UrlBinding, signal: AbortSignal): Promise<RemoteAgentConnection> {
  const link = { binding, reach: createBoundedFetch(binding), redact: createRedact(binding) }
  return remoteConnection(await readCard(link, signal), link)
}

async function readCard({ binding, reach, redact }: Link, signal: AbortSignal): Promise<ReadCard> {
  try {
    const card = await abortable(signal, () => fetchCard(binding.url, (url, init) => reach(url, { ...init, signal })))
    // Fails early if the card is unusable.
    await openClient(binding, card, reach)
    return card
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
  readonly binding: UrlBinding
  readonly reach: typeof fetch
  readonly redact: Redact
}

function remoteConnection(read: ReadCard, link: Link): RemoteAgentConnection {
  let card = read
  const closing = new AbortController()
  return {
    get name() {
      return card.name
    },
    get description() {
      return card.description
    },
    get skills() {
      return card.skills
    },
    async refresh(signal) {
      card = await readCard(link, signal)
    },
    async send(request, signal) {
      const message = messageRequest(request)
      if (!message.ok) return errorObservation(message.error)
      const timeoutMs = link.binding.timeoutMs ?? runtimeLimits.remoteRequestMs
      const exchange = (over: AbortSignal) => sendAndReceive(link, card, message.value, request.thread, over)
      try {
        return await startWithin(systemClock, timeoutMs, [signal, closing.signal], exchange)
      } catch (thrown) {
        if (signal.aborted || thrown instanceof RefusedAnswer) throw thrown
        return errorObservation(link.redact(messageOf(thrown), UNLIMITED))
      }
    },
    isOpen: () => !closing.signal.aborted,
    close: async () => closing.abort(new Error('the connection was closed')),
  }
}

async function sendAndReceive(
  { binding, reach, redact }: Link,
  card: ReadCard,
  request: SendMessageRequest,
  thread: RemoteThread | undefined,
  signal: AbortSignal,
): Promise<Observation> {
  const monitor = monitorResponses(reach)
  const client = await openClient(binding, card, monitor.fetch)
  const answer = new RemoteAnswer()
  onAbort(signal, () => cancel(client, answer))
  try {
    await (card.streaming ? receiveStream : receiveAnswer)(client, request, answer, signal)
    if (!answer.isComplete && answer.taskId !== '') await poll(client, answer, { signal })
    return answer.observe(thread)
  } catch (thrown) {
    if (signal.aborted || !monitor.isRejected(thrown)) throw thrown
    const operation = card.streaming ? 'message/stream' : 'message/send'
    throw new RefusedAnswer(operation, redact(messageOf(thrown)), { cause: thrown })
  }
}

type Receive = (client: Client, request: SendMessageRequest, answer: RemoteAnswer, signal: AbortSignal) => Promise<void>

const receiveStream: Receive = async (client, request, answer, signal) => {
  for await (const event of client.sendMessageStream(request, { signal })) {
    answer.takeEvent(event)
    // The stream may stay open after the task has ended.
    if (answer.isOver) return
  }
}

const receiveAnswer: Receive = async (client, request, answer, signal) => {
  const result = await client.sendMessage(request, { signal })
  if ('messageId' in result) answer.takeMessage(result)
  else answer.takeTask(result)
}

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

function cancel(client: Client, { taskId }: RemoteAnswer): void {
  if (taskId === '') return
  const signal = AbortSignal.timeout(runtimeLimits.remoteCancelMs)
  client.cancelTask({ tenant: '', id: taskId, metadata: undefined }, { signal }).catch(() => {})
}

interface ResponseMonitor {
  readonly fetch: typeof fetch
  /** True if the error means that a response arrived but was rejected. */
  isRejected(thrown: unknown): boolean
}

function monitorResponses(reach: typeof fetch): ResponseMonitor {
  let answered = false
  return {
    async fetch(input, init) {
      answered = false
      const response = await reach(input, init)
      answered = response.ok
      return response
    },
    isRejected: (thrown) => answered && !isAgentError(thrown) && !isNetworkError(thrown),
  }
}

/** True for an error returned by the agent. In a stream, that error is the cause of the thrown one. */
function isAgentError(thrown: unknown): boolean {
  const error = [thrown, field(thrown, 'cause')].find((one) => field(one, 'transport') !== undefined)
  if (error === undefined) return false
  // The SDK turns some malformed responses into server errors without a request id.
  const envelope = field(error, 'errorResponse')
  return envelope === undefined || field(envelope, 'id') !== null
}

/** True if the connection failed before the response was complete. */
function isNetworkError(thrown: unknown): boolean {
  return thrown instanceof TypeError && typeof field(thrown.cause, 'code') === 'string'
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
