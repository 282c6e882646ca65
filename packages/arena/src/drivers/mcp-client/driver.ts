/** The `mcp_client` driver (§7.1): speaks to an MCP server as the document says, over Streamable HTTP or lines. */
import { isList, isRecord, messageOf, own, type Value, type ValueRecord } from '@joust/source'
import { toArenaError } from '../../model/errors.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import type { Driver, DriverContext, Entry, Scene, Stage } from '../driver.ts'
import type { JsonRpcRequest } from '../json-rpc.ts'
import { createTasks, MODERN_VERSION, type Tasks } from '../mcp/tasks.ts'
import { performActions } from '../perform-actions.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { errorFault } from '../turned-away.ts'
import { type Caller, createCaller, type Shape } from './caller.ts'
import { type Correlation, createCorrelation, type Reply } from './correlate.ts'
import { answerOf, type Identity, identityOf, shakeHands } from './handshake.ts'
import { HttpLink, type HttpLinkOptions } from './http.ts'
import { createInlet } from './incoming.ts'
import { createPipeLink, type Link } from './link.ts'
import { answerQuestions, modernShape } from './modern.ts'

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
  /** What the handshake said. */
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
      throw toArenaError('connect_failed', 'the server cannot be talked to', thrown)
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
      this.#stage.report('not-delivered', `${method} was not accepted: ${messageOf(thrown)}`)
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
  return own(stage.scene().state, 'protocol_version') === MODERN_VERSION
}

/** The name of a method says whether the message is a notification. */
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

/** MCP's own code for a resource that a client may not see. */
const RESOURCE_NOT_FOUND = -32002

/** What a result must hold at least one of; nothing for those that are empty by definition. */
// biome-ignore format: a row is a line
const resultKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['protocolVersion']],
  ['ping', []],
  ['logging/setLevel', []],
  ['resources/subscribe', []],
  ['resources/unsubscribe', []],
  ['tools/list', ['tools']],
  ['tools/call', ['content', 'structuredContent', 'task']],
  ['resources/list', ['resources']],
  ['resources/templates/list', ['resourceTemplates']],
  ['resources/read', ['contents']],
  ['prompts/list', ['prompts']],
  ['prompts/get', ['messages']],
  ['completion/complete', ['completion']],
  ['tasks/list', ['tasks']],
  ['tasks/get', ['taskId']],
  ['tasks/cancel', ['taskId']],
])

/** How a call of ours failed, as the rest of a sentence; undefined when it was answered, or may have been refused. */
function answerFault(method: string, { failed, content }: Extract<Reply, { kind: 'answered' }>): string | undefined {
  if (failed) return errorFault(content, method === 'resources/read' ? [RESOURCE_NOT_FOUND] : [])
  if (!isRecord(content)) return 'with a result that is not a mapping'
  if (own(content, 'isError') === true && !hasText(content)) return 'with an error that does not say what is wrong'
  const keys = resultKeys.get(method)
  if (keys === undefined) return Object.keys(content).length === 0 ? 'with an empty result' : undefined
  if (keys.length === 0 || keys.some((key) => holds(content, key))) return undefined
  return `with a result that has no ${keys.join(' or ')}`
}

const textKeys: ReadonlySet<string> = new Set(['protocolVersion', 'taskId'])

function holds(result: ValueRecord, key: string): boolean {
  const value = own(result, key)
  return textKeys.has(key) ? isFilled(value) : isList(value) || isRecord(value)
}

function isFilled(value: Value | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function hasText(result: ValueRecord): boolean {
  const content = own(result, 'content')
  return isList(content) && content.some((item) => isRecord(item) && isFilled(own(item, 'text')))
}
