/** The `mcp_server` mode ([OATF §7.1](https://oatf.io/specification/protocol-bindings/mcp/)), over HTTP or a pipe. */
import { deferred } from '@joust/io'
import type { HttpListening } from '../../model/http.ts'
import type { RealListener, RealReply } from '../../model/through.ts'
import type { ServerEnd } from '../../model/wiring.ts'
import type { Driver, DriverContext } from '../driver.ts'
import { failure, jsonRpcCodes } from '../json-rpc.ts'
import { isNotification } from '../mcp/protocol.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { type Announce, createConversation } from './conversation.ts'
import { createDeliveries, notification } from './outgoing.ts'
import { servePipe } from './pipe.ts'
import { createQuestions, type Questions } from './questions.ts'
import { createSessions } from './sessions.ts'
import { createStreams } from './stream.ts'
import { createHttpHandler, type HttpParts, MCP_PATH } from './streamable-http.ts'
import { isRequested, withSubscription } from './subscriptions.ts'

export function createMcpServerDriver(base: DriverContext, end: ServerEnd): Driver {
  const { stage, quiet } = createQuietStage(base.stage)
  const context: DriverContext = { ...base, stage }
  const sessions = createSessions(stage)
  const streams = createStreams(sessions)
  const questions = createQuestions(context)
  const deliveries = createDeliveries(stage)
  const announce: Announce = (method, params, scene, delivered = () => {}) =>
    sessions.sendToAll(() => ({
      ...notification(stage, scene, method, params, delivered),
      shaped(subscription) {
        if (!stage.verbatim && !isRequested(subscription, method, params)) return undefined
        return notification(stage, scene, method, withSubscription(subscription, params), delivered)
      },
    }))
  const ask: RealListener['asked'] = async (method, params) => {
    let reply: RealReply | undefined
    const { message, answered } = questions.ask(method, params, stage.scene(), (answer) => {
      reply = answer
    })
    sessions.sendToLatest(message)
    await answered
    return reply ?? failure(jsonRpcCodes.internalError, 'the client did not respond')
  }
  const conversation = createConversation(context, questions, deliveries, announce, ask)
  const transport = createTransport(end, { context, sessions, streams, conversation }, questions)
  let closed: Promise<void> | undefined
  const close = async () => {
    deliveries.finish()
    quiet()
    questions.abandon()
    streams.end()
    await Promise.all([transport.close(), base.real?.close()])
  }
  return {
    async open() {
      base.real?.start()
      await transport.open()
    },
    address: transport.address,
    present: transport.present,
    ...(transport.gone && { gone: transport.gone }),
    // Notifications go to all sessions, requests to the most recently active session.
    async send({ method, params }, scene) {
      const delivered = deliveries.expect(method)
      if (isNotification(method)) {
        announce(method, params, scene, delivered)
        return {}
      }
      const { message, answered } = questions.ask(method, params, scene)
      const sent = (session: string | undefined) => {
        delivered()
        message.sent(session)
      }
      sessions.sendToLatest({ ...message, sent })
      return { reply: answered }
    },
    close() {
      closed ??= close().catch(() => {})
      return closed
    },
  }
}

type Transport = Required<Pick<Driver, 'open' | 'address' | 'present' | 'close'>> & Pick<Driver, 'gone'>

/** HTTP has any number of peers, a pipe only one. */
function createTransport(end: ServerEnd, parts: Omit<HttpParts, 'origin'>, questions: Questions): Transport {
  if (end.kind === 'http') {
    let listening: HttpListening | undefined
    const origin = () => listening?.origin ?? ''
    return {
      async open() {
        listening = await end.listen(createHttpHandler({ ...parts, origin }))
      },
      address: () => (listening === undefined ? undefined : `${listening.origin}${listening.path ?? MCP_PATH}`),
      present: parts.sessions.isHeard,
      close: async () => listening?.close(),
    }
  }
  const { pipe } = end
  const { context, sessions, conversation } = parts
  const { promise: gone, resolve } = deferred()
  const onGone = () => questions.abandon(`the peer disconnected (${pipe.ending() ?? 'end of input'})`)
  return {
    async open() {
      void servePipe(pipe, context, sessions, conversation, onGone).then(resolve)
    },
    address: () => undefined,
    present: () => pipe.ending() === undefined,
    gone,
    close: () => pipe.close(),
  }
}
