/** The `mcp_server` mode: an MCP server that says what the document says, over HTTP or a pipe (§7.1). */
import type { Driver, DriverContext } from '../../driver.ts'
import type { HttpListening } from '../../transport/http.ts'
import type { ServerEnd } from '../../wiring.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { createConversation } from './conversation.ts'
import { createDeliveries } from './deliveries.ts'
import { isRequest, notification } from './notification.ts'
import { servePipe } from './pipe.ts'
import { createQuestions } from './questions.ts'
import { createSessions } from './sessions.ts'
import { createHttpHandler, MCP_PATH } from './streamable-http.ts'
import { createStreams } from './streams.ts'

/** The driver of one `mcp_server` actor. */
export function createMcpServerDriver(given: DriverContext, end: ServerEnd): Driver {
  const { stage, quiet } = createQuietStage(given.stage)
  const context: DriverContext = { ...given, stage }
  const sessions = createSessions(stage)
  const streams = createStreams(sessions)
  const questions = createQuestions(context)
  const deliveries = createDeliveries(stage)
  const conversation = createConversation(context, questions, deliveries)
  let listening: HttpListening | undefined
  let closed: Promise<void> | undefined

  const close = async () => {
    deliveries.finish()
    quiet()
    questions.abandon()
    streams.end()
    await (end.kind === 'http' ? listening?.close() : end.pipe.close())
  }
  return {
    async open() {
      if (end.kind === 'http') {
        const origin = () => listening?.origin ?? ''
        listening = await end.listen(createHttpHandler({ context, sessions, streams, conversation, origin }))
        return
      }
      const { pipe } = end
      servePipe(pipe, context, sessions, conversation).then(() =>
        questions.abandon(`the peer is gone (${pipe.ending() ?? 'end of input'})`),
      )
    },
    address: () => (listening === undefined ? undefined : `${listening.origin}${MCP_PATH}`),
    async send({ method, params }, scene) {
      const delivered = deliveries.expect(method)
      if (!isRequest(method)) {
        sessions.tellAll(() => notification(stage, scene, method, params, delivered))
        return {}
      }
      const { message, answered } = questions.ask(method, params, scene)
      const sent = (session: string | undefined) => {
        delivered()
        message.sent(session)
      }
      sessions.tellLast({ ...message, sent })
      return { reply: answered }
    },
    close() {
      closed ??= close().catch(() => {})
      return closed
    },
  }
}
