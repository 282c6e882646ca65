/** Sends and records a client actor's messages. */

import { within } from '@joust/io'
import { messageOf, type Value } from '@joust/source'
import type { DriverContext, Scene } from '../driver.ts'
import { type Answered, contentOf, writeAnswer, writeNotification, writeRequest } from '../json-rpc.ts'
import { writtenHeaders } from '../written-headers.ts'
import type { Correlation, Reply } from './correlate.ts'
import type { Link, Outgoing } from './link.ts'

interface Shaped {
  readonly params: Value | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Adds the fields and headers that the protocol version requires to a request or notification. */
export type Shape = (method: string, params: Value | undefined, scene: Scene, isRequest: boolean) => Shaped

export interface Caller {
  /** Resolves once sent. Never rejects: `reply` reports a disconnected peer. */
  request(
    method: string,
    params: Value | undefined,
    scene: Scene,
    headers?: Value,
  ): Promise<{ readonly reply: Promise<Reply> }>
  /** Rejects with an `ArenaError` if the peer is permanently lost. */
  notify(method: string, params: Value | undefined, scene: Scene, headers?: Value): Promise<void>
  /** Never rejects. */
  answer(id: Value, method: string, answer: Answered, scene: Scene): Promise<void>
}

interface CallerOptions extends Pick<DriverContext, 'stage' | 'clock' | 'signal' | 'limits'> {
  readonly link: Link
  readonly correlation: Correlation
  readonly shape: Shape
}

export function createCaller({ stage, clock, signal, limits, link, correlation, shape }: CallerOptions): Caller {
  const { replyMs } = limits
  const record = (scene: Scene, direction: 'request' | 'response', surface: string, content: Value) =>
    stage.send(scene, { direction, flow: 'out', surface, content, session: link.session() })
  const put = (message: Outgoing): Promise<void> => {
    const late = () => {
      if (!signal.aborted)
        stage.report('not-delivered', `${message.surface}: timeout after ${replyMs} ms while sending`)
    }
    const sent = link.send(message)
    // After a timeout, a rejection is ignored.
    sent.catch(() => {})
    return within(clock, replyMs, sent, signal, late)
  }

  const outgoing = (method: string, written: Value | undefined, scene: Scene, isRequest: boolean, action?: Value) => {
    const { params, headers: shaped } = shape(method, written, scene, isRequest)
    const headers = { ...shaped, ...writtenHeaders(stage, scene, action) }
    const content = params === undefined ? {} : params
    const again = () => record(scene, 'request', method, content).arrived()
    const held = record(scene, 'request', method, content)
    return { params, content, sending: { surface: method, held, again, headers } }
  }

  return {
    async request(method, written, scene, action) {
      const { params, content, sending } = outgoing(method, written, scene, true, action)
      const { id, reply } = correlation.ask(method, content)
      await put({ ...sending, text: writeRequest(id, method, params), id })
      return { reply }
    },
    async notify(method, written, scene, action) {
      const { params, sending } = outgoing(method, written, scene, false, action)
      await put({ ...sending, text: writeNotification(method, params) })
    },
    async answer(id, method, answer, scene) {
      const held = record(scene, 'response', method, contentOf(answer))
      try {
        await put({ text: writeAnswer(id, answer), surface: `the response to ${method}`, held })
      } catch (thrown) {
        stage.report('not-delivered', `the response to ${method} could not be sent: ${messageOf(thrown)}`)
      }
    },
  }
}
