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
import type { UrlBinding } from '../model/bindings.ts'
import type { RemoteAgentConnection, RemoteRequest, RemoteSkill } from '../model/connection.ts'
import { messageOf } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { errorObservation, type Observation } from '../model/observation.ts'
import { RemoteAnswer } from './a2a-answer.ts'
import { fetchCard, type ReadCard } from './a2a-card.ts'
import { messageRequest } from './a2a-request.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { createRedact, type Redact } from './secrets.ts'

/** Fetches the agent's card and makes ready to talk to it. The signal ends the attempt, not the connection. */
export async function connectRemoteAgent(binding: UrlBinding, signal: AbortSignal): Promise<RemoteAgentConnection> {
  const redact = createRedact(binding)
  const reach = createBoundedFetch(binding)
  try {
    const read = await abortable(signal, () => fetchCard(binding.url, (url, init) => reach(url, { ...init, signal })))
    const compat = { legacyCompat: { enabled: true }, fetchImpl: reach }
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory(compat), new RestTransportFactory(compat)],
      cardResolver: { resolve: async () => read.card },
    })
    return new RemoteConnection(
      await factory.createFromUrl(binding.url),
      read,
      redact,
      binding.timeoutMs ?? runtimeLimits.remoteRequestMs,
    )
  } catch (thrown) {
    if (signal.aborted) throw thrown
    throw new Error(redact(messageOf(thrown)), { cause: thrown })
  }
}

class RemoteConnection implements RemoteAgentConnection {
  readonly name?: string
  readonly description?: string
  readonly skills: readonly RemoteSkill[]
  readonly #client: Client
  readonly #streaming: boolean
  readonly #redact: Redact
  readonly #timeoutMs: number
  readonly #closing = new AbortController()

  constructor(client: Client, { name, description, skills, streaming }: ReadCard, redact: Redact, timeoutMs: number) {
    if (name !== undefined) this.name = name
    if (description !== undefined) this.description = description
    this.skills = skills
    this.#client = client
    this.#streaming = streaming
    this.#redact = redact
    this.#timeoutMs = timeoutMs
  }

  async send(request: RemoteRequest, signal: AbortSignal): Promise<Observation> {
    const message = messageRequest(request)
    if (!message.ok) return errorObservation(message.error)
    const answer = new RemoteAnswer()
    const talk = (over: AbortSignal) => {
      onAbort(over, () => this.#cancel(answer))
      return this.#talk(message.value, answer, over)
    }
    try {
      await startWithin(systemClock, this.#timeoutMs, [signal, this.#closing.signal], talk)
      return answer.observe(request.thread)
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return errorObservation(this.#redact(messageOf(thrown)))
    }
  }

  isOpen(): boolean {
    return !this.#closing.signal.aborted
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection is closed'))
  }

  async #talk(request: SendMessageRequest, answer: RemoteAnswer, signal: AbortSignal): Promise<void> {
    if (this.#streaming) {
      for await (const event of this.#client.sendMessageStream(request, { signal })) {
        answer.takeEvent(event)
        // A stream need not end with the task.
        if (answer.isOver) return
      }
    } else {
      const result = await this.#client.sendMessage(request, { signal })
      if ('messageId' in result) answer.takeMessage(result)
      else answer.takeTask(result)
    }
    if (!answer.isComplete && answer.taskId !== '') await this.#poll(answer, { signal })
  }

  /** Agents may answer before the work is done. */
  async #poll(answer: RemoteAnswer, options: RequestOptions & { readonly signal: AbortSignal }): Promise<void> {
    const { remoteFirstPollMs, remoteLongestPollMs } = runtimeLimits
    for (let wait: number = remoteFirstPollMs; !answer.isComplete; wait = Math.min(wait * 2, remoteLongestPollMs)) {
      await pause(systemClock, wait, options.signal)
      options.signal.throwIfAborted()
      answer.takeTask(await this.#client.getTask({ tenant: '', id: answer.taskId }, options))
    }
  }

  /** Tells the agent that nobody waits any more; whether it hears that is of no consequence. */
  #cancel({ taskId }: RemoteAnswer): void {
    if (taskId === '') return
    const signal = AbortSignal.timeout(runtimeLimits.remoteCancelMs)
    this.#client.cancelTask({ tenant: '', id: taskId, metadata: undefined }, { signal }).catch(() => {})
  }
}
