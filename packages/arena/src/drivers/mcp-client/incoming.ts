/** What a server sends, classified and handed to the stage: answers, requests, notifications, and the unreadable. */
import { type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../../model/limits.ts'
import type { Incoming, Scene, Stage } from '../driver.ts'
import { type JsonRpcMessage, type JsonRpcRequest, type JsonRpcResponse, messagesOf, readMessage } from '../json-rpc.ts'
import type { Correlation } from './correlate.ts'
import type { Inlet, Origin } from './link.ts'

interface IncomingOptions {
  readonly stage: Stage
  readonly correlation: Correlation
  readonly maxBytes: number
  readonly session: () => string | undefined
  /** Answers a request of the server, from a phase. */
  readonly answer: (request: JsonRpcRequest, scene: Scene) => Promise<void>
}

/** Takes in what a link brings. */
export function createInlet(options: IncomingOptions): Inlet {
  const { correlation, maxBytes } = options
  const underWay: Promise<void>[] = []
  return {
    async take(text, origin) {
      correlation.find(origin.asked)?.renew()
      const message = readMessage(text, maxBytes, origin.fault)
      for (const item of messagesOf(message)) {
        underWay.push(handle(options, item, origin))
        if (underWay.length > arenaLimits.mcpClientMessages) await underWay.shift()
      }
    },
    setAside(surface, text, reason, asked) {
      correlation.find(asked)?.renew()
      note(options, surface, text, reason)
    },
    awaits: (id) => correlation.find(id)?.isOpen() === true,
    unanswered(id, reason) {
      const asked = correlation.find(id)
      if (asked?.isOpen() !== true) return
      asked.settle(typeof reason === 'string' ? { kind: 'missing', reason } : { kind: 'gone', error: reason })
    },
    lost: (error) => correlation.settleAll({ kind: 'gone', error }),
  }
}

/** Everything before the stage is synchronous, so that an answer counts before its stream is seen to have ended. */
function handle(options: IncomingOptions, message: JsonRpcMessage, origin: Origin): Promise<void> {
  const { stage, correlation } = options
  switch (message.kind) {
    case 'request':
      return stage.receive(event(options, message.method, message.params), (scene) => options.answer(message, scene))
    case 'notification':
      if (message.method === 'notifications/progress') correlation.progress(message.params)
      return stage.receive(event(options, message.method, message.params))
    case 'response':
      return takeResponse(options, message, origin)
    case 'malformed': {
      const asked = correlation.find(message.id) ?? correlation.find(origin.asked)
      note(options, asked?.method ?? '', message.text, message.reason)
      stage.report('message-malformed', `the server sent what cannot be read: ${message.reason}`)
      if (message.id === asked?.id && asked.isOpen())
        asked.settle({ kind: 'missing', reason: `the answer cannot be read: ${message.reason}` })
      return Promise.resolve()
    }
  }
}

async function takeResponse(options: IncomingOptions, message: JsonRpcResponse, origin: Origin): Promise<void> {
  const { stage, correlation } = options
  const { id, failed, content } = message
  // A server that could not read the id of a request names none; then the stream on which the error came tells.
  const asked = correlation.find(id) ?? (id === null && failed ? correlation.find(origin.asked) : undefined)
  if (asked === undefined || asked.isAnswered()) {
    note(options, asked?.method ?? '', content, undefined)
    const what = asked === undefined ? 'no request of ours has' : `${asked.method} had already been answered, with`
    return stage.report('reply-unexpected', `an answer came, but ${what} the id ${writeJson(id)}`)
  }
  asked.answer()
  const { method, params } = asked
  await stage.receive({ ...event(options, method, content), direction: 'response', request: params })
  asked.settle({ kind: 'answered', failed, content })
}

function event({ session }: IncomingOptions, surface: string, content: Value): Incoming {
  return { direction: 'request', surface, content, session: session() }
}

function note(options: IncomingOptions, surface: string, content: Value, malformed: string | undefined): void {
  const { stage } = options
  stage.record(stage.scene(), { ...event(options, surface, content), direction: 'response', flow: 'in', malformed })
}
