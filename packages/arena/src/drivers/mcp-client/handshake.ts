/** The handshake of MCP up to 2025-11-25, as the document has it (§7.1.5). */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { isRecord, own, type Value } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Scene, Stage } from '../driver.ts'
import type { Caller } from './caller.ts'
import type { Link } from './link.ts'

/** Who the client says it is: from the state, filled, or the defaults of the binding. */
export interface Identity {
  readonly version: Value
  readonly info: Value
  readonly capabilities: Value
}

/** The identity that a phase gives. */
export function identityOf(stage: Stage, scene: Scene): Identity {
  const state = isRecord(scene.state) ? scene.state : {}
  const filled = (key: string, otherwise: Value) => {
    const value = own(state, key)
    return value === undefined ? otherwise : stage.fill(value)
  }
  return {
    version: filled('protocol_version', DEFAULT_MCP_VERSION),
    info: filled('client_info', { name: 'oatf-client', version: '1.0.0' }),
    capabilities: filled('capabilities', { roots: { listChanged: true } }),
  }
}

/** Says hello and waits for the answer. A server that refuses is still spoken to: what it does then may be the point. */
export async function shakeHands(stage: Stage, scene: Scene, caller: Caller, link: Link, who: Identity): Promise<void> {
  const { version, info, capabilities } = who
  const hello: Value = { protocolVersion: version, capabilities, clientInfo: info }
  const reply = await (await caller.request('initialize', hello, scene)).reply
  if (reply.kind === 'ended') throw new ArenaError('stopped', 'the run ended before the server had answered initialize')
  if (reply.kind === 'gone') throw new ArenaError('connect_failed', reply.error.message, { cause: reply.error })
  if (reply.kind === 'missing') {
    const code = reply.isLate ? 'timed_out' : 'connect_failed'
    throw new ArenaError(code, `the server did not answer initialize: ${reply.reason}`)
  }
  if (reply.failed) {
    stage.report('handshake-refused', 'the server answered initialize with an error; the actions are sent anyway')
    return
  }
  const agreed = isRecord(reply.content) ? own(reply.content, 'protocolVersion') : undefined
  const spoken = typeof agreed === 'string' ? agreed : version
  link.agreed(typeof spoken === 'string' ? spoken : undefined)
  await caller.notify('notifications/initialized', undefined, stage.scene())
  link.listen()
}
