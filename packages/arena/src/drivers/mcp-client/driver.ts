/** The `mcp_client` mode ([OATF §7.1](https://oatf.io/specification/protocol-bindings/mcp/)), over HTTP or a pipe. */
import { isList, isRecord, messageOf, own, ownList, ownText, type ValueRecord } from '@joust/source'
import { toArenaError } from '../../model/errors.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import type { Driver, DriverContext, Entry, Scene, Stage } from '../driver.ts'
import { jsonRpcCodes } from '../json-rpc.ts'
import { isNotification, MODERN_VERSION, modernCodes, RESOURCE_NOT_FOUND } from '../mcp/protocol.ts'
import { createTasks } from '../mcp/tasks.ts'
import { performActions } from '../perform-actions.ts'
import { createQuietStage } from '../quiet-stage.ts'
import { errorFault } from '../rejections.ts'
import { createCaller, type Shape } from './caller.ts'
import { createCorrelation, type Reply } from './correlate.ts'
import { answerOf, clientIdentity, type Identity, performHandshake } from './handshake.ts'
import { HttpLink, type HttpLinkOptions } from './http.ts'
import { createInlet } from './incoming.ts'
import { createPipeLink, type Link } from './link.ts'
import { answerQuestions, modernShape, noteTools, type ToolSchemas } from './modern.ts'

export function createMcpClientDriver(context: DriverContext, end: ClientEnd): Driver {
  const { signal } = context
  const { stage, quiet } = createQuietStage(context.stage)
  const { link, caller, correlation, greet, ask } = createClient({ ...context, stage }, end)
  const endWaits = () => correlation.settleAll({ kind: 'ended' })
  signal.addEventListener('abort', endWaits)
  return {
    standing: true,
    async open() {
      try {
        await link.open()
        await greet()
      } catch (thrown) {
        throw toArenaError('connect_failed', 'cannot connect to the server', thrown)
      }
    },
    perform: (scene, over) =>
      performActions(stage, scene, {
        isOver: () => over.aborted || signal.aborted,
        async send(entry) {
          const { method, params, headers } = entry
          if (isNotification(method)) return caller.notify(method, params, scene, headers)
          const reply = await (await ask(entry, scene)).reply
          if (reply.kind === 'gone') throw reply.error
          reportFailure(stage, method, reply)
        },
      }),
    async send(entry, scene) {
      const { method, params, headers } = entry
      if (!isNotification(method)) {
        const { reply } = await ask(entry, scene)
        return { reply: reply.then((result) => reportFailure(stage, method, result)) }
      }
      await caller.notify(method, params, scene, headers).catch((thrown) => {
        stage.report('not-delivered', `${method} could not be sent: ${messageOf(thrown)}`)
      })
      return {}
    },
    async probe(method, params) {
      const { reply } = await caller.request(method, params, stage.scene())
      const { kind, ...answer } = await reply
      return kind === 'answered' && 'failed' in answer ? answer : undefined
    },
    async close() {
      quiet()
      signal.removeEventListener('abort', endWaits)
      endWaits()
      await link.close()
    },
  }
}

const asWritten: Shape = (_method, params) => ({ params })

function createClient(context: DriverContext, end: ClientEnd) {
  const { stage, clock, limits, newId, mcpVersion } = context
  const isModern = (own(stage.scene().state, 'protocol_version') ?? mcpVersion) === MODERN_VERSION
  const schemas: ToolSchemas = new Map()
  const correlation = createCorrelation(clock, limits.replyMs)
  const tasks = createTasks(newId, () => clock.now())
  let identity: Identity | undefined
  const greet = async () => {
    const scene = stage.scene()
    identity ??= clientIdentity(stage, scene, mcpVersion)
    if (!isModern) await performHandshake(stage, scene, caller, link, identity)
  }
  const inlet = createInlet({
    stage,
    correlation,
    maxBytes: limits.messageBytes,
    session: () => link.session(),
    heard: (method, content) => noteTools(schemas, method, content),
    answer({ id, method, params }, scene) {
      const request = { method, params, capabilities: identity?.capabilities ?? {} }
      const answer = tasks.answer(request) ?? tasks.keep(request, answerOf(stage, scene, request))
      return caller.answer(id, method, answer, scene)
    },
  })
  const link = createLink(context, end, { inlet, sessions: !isModern, onSessionLost: greet })
  const shape = isModern ? modernShape(stage, schemas) : asWritten
  const caller = createCaller({ ...context, link, correlation, shape })
  const ask = async (entry: Entry, scene: Scene): Promise<{ readonly reply: Promise<Reply> }> => {
    const { reply } = await caller.request(entry.method, entry.params, scene, entry.headers)
    if (!isModern) return { reply }
    return { reply: reply.then((first) => answerQuestions(stage, caller, entry, scene, first)) }
  }
  return { link, caller, correlation, greet, ask }
}

type LinkParts = Pick<HttpLinkOptions, 'inlet' | 'sessions' | 'onSessionLost'>

function createLink(context: DriverContext, end: ClientEnd, parts: LinkParts): Link {
  const { report } = context.stage
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

/** A result must have at least one of these keys. An empty list allows results without content. */
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

/** Describes the fault in a response, as a clause after "was answered"; undefined for a valid response or a refusal. */
function answerFault(method: string, { failed, content }: Extract<Reply, { kind: 'answered' }>): string | undefined {
  if (failed)
    return errorFault(content, [
      jsonRpcCodes.invalidParams,
      modernCodes.headerMismatch,
      ...(method === 'resources/read' ? [RESOURCE_NOT_FOUND] : []),
    ])
  if (!isRecord(content)) return 'with a result that is not an object'
  if (own(content, 'isError') === true && !ownList(content, 'content').some((item) => ownText(item, 'text')))
    return 'with an error without a message'
  const keys = resultKeys.get(method)
  if (keys === undefined) return Object.keys(content).length === 0 ? 'with an empty result' : undefined
  if (keys.length === 0 || keys.some((key) => holds(content, key))) return undefined
  return `with a result without ${keys.join(' or ')}`
}

const textKeys: ReadonlySet<string> = new Set(['protocolVersion', 'taskId'])

function holds(result: ValueRecord, key: string): boolean {
  const value = own(result, key)
  return textKeys.has(key) ? typeof value === 'string' && value !== '' : isList(value) || isRecord(value)
}
