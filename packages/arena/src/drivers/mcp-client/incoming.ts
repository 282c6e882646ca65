/** Classifies server messages and passes them to the stage. */

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
  /** Called before phases react to the response. */
  readonly heard: (method: string, content: Value) => void
  readonly answer: (request: JsonRpcRequest, scene: Scene) => Promise<void>
}

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
    setAside(surface, text, reason, requestId) {
      correlation.find(requestId)?.renew()
      note(options, surface, text, reason)
    },
    awaits: (id) => correlation.find(id)?.isOpen() === true,
    unanswered(id, reason) {
      const request = correlation.find(id)
      if (request?.isOpen() !== true) return
      request.settle(typeof reason === 'string' ? { kind: 'missing', reason } : { kind: 'gone', error: reason })
    },
    lost: (error) => correlation.settleAll({ kind: 'gone', error }),
  }
}

/** Runs synchronously up to the stage, so that a response counts before its stream ends. */
function handle(options: IncomingOptions, message: JsonRpcMessage, origin: Origin): Promise<void> {
  const { stage, correlation } = options
  switch (message.kind) {
    case 'request':
      return stage.receive(event(options, message.method, message.params, origin), (scene) =>
        options.answer(message, scene),
      )
    case 'notification':
      if (message.method === 'notifications/progress') correlation.progress(message.params)
      return stage.receive(event(options, message.method, message.params, origin))
    case 'response':
      return takeResponse(options, message, origin)
    case 'malformed': {
      const request = correlation.find(message.id) ?? correlation.find(origin.asked)
      note(options, request?.method ?? '', message.text, message.reason)
      stage.report('message-malformed', `malformed message from the server: ${message.reason}`)
      if (message.id === request?.id && request.isOpen())
        request.settle({ kind: 'missing', reason: `malformed response: ${message.reason}` })
      return Promise.resolve()
    }
  }
}

async function takeResponse(options: IncomingOptions, message: JsonRpcResponse, origin: Origin): Promise<void> {
  const { stage, correlation } = options
  const { id, failed, content } = message
  // The id is null if the server could not read it; the error then belongs to the request of the stream.
  const request = correlation.find(id) ?? (id === null && failed ? correlation.find(origin.asked) : undefined)
  if (request === undefined || request.isAnswered()) {
    note(options, request?.method ?? '', content, undefined)
    const kind = request === undefined ? 'response with an unknown id' : `second response to ${request.method} with id`
    return stage.report('reply-unexpected', `${kind} ${writeJson(id)}`)
  }
  request.answer()
  const { method, params } = request
  options.heard(method, content)
  await stage.receive({ ...event(options, method, content, origin), direction: 'response', request: params })
  request.settle({ kind: 'answered', failed, content })
}

function event({ session }: IncomingOptions, surface: string, content: Value, { headers }: Origin = {}): Incoming {
  return { direction: 'request', surface, content, session: session(), headers }
}

function note(options: IncomingOptions, surface: string, content: Value, malformed: string | undefined): void {
  const { stage } = options
  stage.record(stage.scene(), { ...event(options, surface, content), direction: 'response', flow: 'in', malformed })
}
