/** The `mcp_client` driver (§7.1): speaks to an MCP server as the document says, over Streamable HTTP or lines. */
import { isRecord, own } from '@joust/source'
import { messageOf, toArenaError } from '../../model/errors.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import type { Driver, DriverContext, Entry, Scene, Stage } from '../driver.ts'
import type { JsonRpcRequest } from '../json-rpc.ts'
import { MODERN_VERSION } from '../mcp/modern-version.ts'
import { createTasks, type Tasks } from '../mcp/tasks.ts'
import { performActions } from '../perform-actions.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { answerFault } from './answer-fault.ts'
import { type Caller, createCaller, type Shape } from './caller.ts'
import { type Correlation, createCorrelation, type Reply } from './correlate.ts'
import { answerOf } from './dispatch.ts'
import { type Identity, identityOf, shakeHands } from './handshake.ts'
import { HttpLink, type HttpLinkOptions } from './http.ts'
import { createInlet } from './incoming.ts'
import type { Link } from './link.ts'
import { answerQuestions, modernShape } from './modern.ts'
import { createPipeLink } from './pipe.ts'

/** Makes the driver; nothing is connected before `open`. */
export function createMcpClientDriver(context: DriverContext, end: ClientEnd): Driver {
  return new McpClientDriver(context, end)
}

class McpClientDriver implements Driver {
  readonly standing = true
  readonly #stage: Stage
  readonly #quiet: () => void
  readonly #signal: AbortSignal
  readonly #isModern: boolean
  readonly #correlation: Correlation
  readonly #link: Link
  readonly #caller: Caller
  readonly #tasks: Tasks
  /** What the handshake has said. */
  #identity: Identity | undefined

  constructor(context: DriverContext, end: ClientEnd) {
    const { clock, signal, limits } = context
    const { stage, quiet } = createQuietStage(context.stage)
    const correlation = createCorrelation(clock, limits.replyMs)
    const inlet = createInlet({
      stage,
      correlation,
      maxBytes: limits.messageBytes,
      session: () => this.#link.session(),
      answer: (request, scene) => this.#answer(request, scene),
    })
    this.#stage = stage
    this.#quiet = quiet
    this.#signal = signal
    this.#isModern = speaksModern(stage)
    this.#tasks = createTasks(context.newId, () => clock.now())
    this.#correlation = correlation
    this.#link = createLink(context, stage, end, {
      inlet,
      sessions: !this.#isModern,
      onSessionLost: () => this.#shakeHands(),
    })
    const shape = this.#isModern ? modernShape(stage) : asWritten
    this.#caller = createCaller({ stage, clock, signal, replyMs: limits.replyMs, link: this.#link, correlation, shape })
    signal.addEventListener('abort', this.#endWaits)
  }

  async open(): Promise<void> {
    try {
      await this.#link.open()
      this.#identity = identityOf(this.#stage, this.#stage.scene())
      if (!this.#isModern) await this.#shakeHands()
    } catch (thrown) {
      throw toArenaError('connect_failed', 'the server cannot be spoken to', thrown)
    }
  }

  perform(scene: Scene, over: AbortSignal): Promise<void> {
    return performActions(this.#stage, scene, {
      isOver: () => over.aborted || this.#signal.aborted,
      send: async (entry) => {
        const { method, params } = entry
        if (isNotification(method)) return this.#caller.notify(method, params, scene)
        const reply = await (await this.#ask(entry, scene)).reply
        if (reply.kind === 'gone') throw reply.error
        reportFailure(this.#stage, method, reply)
      },
    })
  }

  async send(entry: Entry, scene: Scene): Promise<{ readonly reply?: Promise<void> }> {
    const { method, params } = entry
    if (!isNotification(method)) {
      const { reply } = await this.#ask(entry, scene)
      return { reply: reply.then((how) => reportFailure(this.#stage, method, how)) }
    }
    try {
      await this.#caller.notify(method, params, scene)
    } catch (thrown) {
      this.#stage.report('not-delivered', `${method} was not taken: ${messageOf(thrown)}`)
    }
    return {}
  }

  async close(): Promise<void> {
    this.#quiet()
    this.#signal.removeEventListener('abort', this.#endWaits)
    this.#endWaits()
    await this.#link.close()
  }

  readonly #endWaits = () => this.#correlation.settleAll({ kind: 'ended' })

  async #shakeHands(): Promise<void> {
    const scene = this.#stage.scene()
    this.#identity ??= identityOf(this.#stage, scene)
    await shakeHands(this.#stage, scene, this.#caller, this.#link, this.#identity)
  }

  async #ask({ method, params }: Entry, scene: Scene): Promise<{ readonly reply: Promise<Reply> }> {
    const { reply } = await this.#caller.request(method, params, scene)
    if (!this.#isModern) return { reply }
    const more = (first: Reply) => answerQuestions(this.#stage, this.#caller, method, params, scene, first)
    return { reply: reply.then(more) }
  }

  #answer({ id, method, params }: JsonRpcRequest, scene: Scene): Promise<void> {
    const request = { method, params, capabilities: this.#identity?.capabilities ?? {} }
    const answer = this.#tasks.answer(request) ?? this.#tasks.keep(request, answerOf(this.#stage, scene, request))
    return this.#caller.answer(id, method, answer, scene)
  }
}

const asWritten: Shape = (_method, params) => (params === undefined ? {} : { params })

function speaksModern(stage: Stage): boolean {
  const { state } = stage.scene()
  return isRecord(state) && own(state, 'protocol_version') === MODERN_VERSION
}

/** A message is a notification by the name of its method. */
function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}

type LinkParts = Pick<HttpLinkOptions, 'inlet' | 'sessions' | 'onSessionLost'>

function createLink(context: DriverContext, stage: Stage, end: ClientEnd, parts: LinkParts): Link {
  const { report } = stage
  if (end.kind === 'pipe') return createPipeLink(end.open, parts.inlet, (reason) => report('connection-lost', reason))
  const { send: httpSend, ...where } = end
  return new HttpLink({ ...context, ...where, ...parts, httpSend, report })
}

function reportFailure(stage: Stage, method: string, reply: Reply): void {
  if (reply.kind === 'missing') stage.report('reply-missing', `${method} was not answered: ${reply.reason}`)
  const fault = reply.kind === 'answered' ? answerFault(method, reply) : undefined
  if (fault !== undefined) stage.report('answer-failed', `${method} was answered ${fault}`)
  if (reply.kind === 'gone') stage.report('connection-lost', `${method} was not answered: ${reply.error.message}`)
}
