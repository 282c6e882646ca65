/** The MCP handshake up to 2025-11-25 ([OATF §7.1.5](https://oatf.io/specification/protocol-bindings/mcp/)). */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { own, ownText, type Value } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Scene, Stage } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import type { TaskRequest } from '../mcp/tasks.ts'
import type { Caller } from './caller.ts'
import type { Link } from './link.ts'

export interface Identity {
  readonly version: Value
  readonly info: Value
  readonly capabilities: Value
}

/** `version` is used unless the document sets a version. */
export function clientIdentity(stage: Stage, scene: Scene, version: Value = DEFAULT_MCP_VERSION): Identity {
  const filled = (key: string, otherwise: Value) => {
    const value = own(scene.state, key)
    return value === undefined ? otherwise : stage.fill(value)
  }
  return {
    version: filled('protocol_version', version),
    info: filled('client_info', { name: 'oatf-client', version: '1.0.0' }),
    capabilities: filled('capabilities', { roots: { listChanged: true } }),
  }
}

/** The attack continues even if the server refuses the handshake. */
export async function performHandshake(
  stage: Stage,
  scene: Scene,
  caller: Caller,
  link: Link,
  identity: Identity,
): Promise<void> {
  const { version, info, capabilities } = identity
  const params: Value = { protocolVersion: version, capabilities, clientInfo: info }
  const reply = await (await caller.request('initialize', params, scene)).reply
  if (reply.kind === 'ended') throw new ArenaError('stopped', 'the run ended before the server answered initialize')
  if (reply.kind === 'gone') throw new ArenaError('connect_failed', reply.error.message, { cause: reply.error })
  if (reply.kind === 'missing') {
    const code = reply.isLate ? 'timed_out' : 'connect_failed'
    throw new ArenaError(code, `the server did not answer initialize: ${reply.reason}`)
  }
  if (reply.failed) {
    stage.report('handshake-refused', 'the server answered initialize with an error; the actions were sent anyway')
    return
  }
  const negotiated = ownText(reply.content, 'protocolVersion') ?? version
  link.agreed(typeof negotiated === 'string' ? negotiated : undefined)
  await caller.notify('notifications/initialized', undefined, stage.scene())
  link.listen()
}

/** The MCP error for a user refusal. */
const REJECTED = failure(-1, 'User rejected sampling request')
const NOT_FOUND = failure(jsonRpcCodes.methodNotFound, 'Method not found')

export function answerOf(stage: Stage, scene: Scene, ask: TaskRequest): Answered {
  const { state } = scene
  const { method, params, capabilities } = ask
  switch (method) {
    case 'ping':
      return { result: {} }
    case 'roots/list':
      return { result: filled(stage, { roots: own(state, 'roots') ?? [] }, params) }
    case 'sampling/createMessage': {
      const entry = stage.choose(own(state, 'sampling_responses'), params, 'sampling_responses')
      if (entry !== undefined) return { result: filled(stage, entry.content ?? {}, params) }
      return own(capabilities, 'sampling') === undefined ? NOT_FOUND : REJECTED
    }
    case 'elicitation/create':
      return { result: elicited(stage, own(state, 'elicitation_responses'), params) }
    default:
      return NOT_FOUND
  }
}

function elicited(stage: Stage, entries: Value | undefined, params: Value): Value {
  const entry = stage.choose(entries, params, 'elicitation_responses') ?? {}
  // The type does not say that an entry is plain data.
  const action = (entry.action ?? 'accept') as Value
  if (entry.content !== undefined) return filled(stage, { action, content: entry.content }, params)
  const answer = { action: stage.fill(action, params, { action }) }
  const isForm = own(params, 'mode') !== 'url'
  return answer.action === 'accept' && isForm ? { ...answer, content: {} } : answer
}

/** Templates may refer to the request and to the response (OATF §5.6). */
function filled(stage: Stage, written: Value, request: Value): Value {
  return stage.fill(written, request, written)
}
