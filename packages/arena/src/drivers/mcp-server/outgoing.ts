/** Outgoing messages and their channels. */
import type { Value } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { writeNotification } from '../json-rpc.ts'
import type { Subscription } from './subscriptions.ts'

export interface Outgoing {
  readonly text: string
  /** The name of the message in diagnostics. */
  readonly what: string
  /** Called once, when the message is sent, with the receiving session. */
  readonly sent: (session: string | undefined) => void
  /** Called if the peer disconnected before it could read the message. */
  readonly lost?: () => void
  /** The HTTP status of a response. @default 200 */
  readonly status?: number
  /** Adapts the message to a subscription; returns undefined if the subscription does not request the message. */
  readonly shaped?: (subscription: Subscription) => Outgoing | undefined
}

/** A channel to the peer that preserves order. */
export interface Outlet {
  /** True for a channel of unsolicited messages only. */
  readonly listening: boolean
  /** Sends a message, or stores it for a peer that may reconnect. */
  put(message: Outgoing): void
}

/** A message or batch that needs a response. Messages are sent in order; phases do not wait for the peer. */
export interface Exchange {
  readonly session: string | undefined
  /** The HTTP headers of the message; undefined on a pipe. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Sends a message before the response, on the same stream. Returns false if the peer does not accept it. */
  push(message: Outgoing): boolean
  /** Sends a response. After a successful response, the peer may receive other messages. */
  answer(message: Outgoing, succeeded: boolean): void
  accept(): void
  refuse(message: Outgoing): void
  /** Keeps the stream open for later messages instead of responding. */
  keep(subscription: Subscription): void
}

/** The notification is recorded when it is sent. */
export function notification(
  stage: Stage,
  scene: Scene,
  method: string,
  params: Value | undefined,
  delivered: () => void = () => {},
): Outgoing {
  const sent = (session: string | undefined) => {
    delivered()
    const content = params ?? {}
    stage.record(scene, { direction: 'request', flow: 'out', surface: method, content, session })
  }
  return { text: writeNotification(method, params), what: method, sent }
}

/** Deliveries of messages, tracked because an undelivered payload must not be reported as resisted. */
export interface Deliveries {
  /** Registers a message that must be delivered at least once; call the returned function on delivery. */
  expect(what: string): () => void
  /** Registers a response that must be delivered; call the returned function on delivery. */
  expectAnswer(method: string): () => void
  finish(): void
}

export function createDeliveries(stage: Stage): Deliveries {
  const expected = new Set<() => void>()
  const expect = (report: () => void) => {
    expected.add(report)
    return () => void expected.delete(report)
  }
  return {
    expect: (what) => expect(() => stage.report('not-delivered', `${what}: no peer was connected`)),
    expectAnswer: (method) => expect(() => reportUndelivered(stage, method)),
    finish() {
      for (const report of expected) report()
      expected.clear()
    },
  }
}

export function reportUndelivered(stage: Stage, method: string): void {
  stage.report('answer-undelivered', `the peer disconnected before the response to ${method} was sent`)
}
