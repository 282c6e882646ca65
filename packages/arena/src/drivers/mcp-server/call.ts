/** A request of the peer while it is being answered. */

import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { own, type Value, type ValueRecord } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'

/** What answers a request. `open` is not an answer: the stream stays for messages to come. */
export type CallAnswer = Answered | 'open'

/** A message that goes out before the answer. */
export interface Interlude {
  readonly method: string
  /** Made when it is sent, so that it sees what earlier replies brought. Undefined: nothing needs to be sent. */
  readonly params: () => Value | undefined
}

/** A request of the peer. */
export interface Call {
  readonly id: Value
  readonly method: string
  readonly params: Value
  readonly scene: Scene
  /** The state of the phase; empty when it is not a mapping. */
  readonly state: ValueRecord
  readonly stage: Stage
  readonly newId: () => string
  /** See `DriverContext`. */
  readonly mcpVersion: string | undefined
  /** Fills the templates of a value for this request; `response` is the answer that it is in, as written (§5.6). */
  readonly fill: (value: Value, response?: Value) => Value
  /** Sends messages before the answer and waits for their replies; one that is returned is the answer for now. */
  readonly interlude: (interludes: readonly Interlude[]) => Promise<CallAnswer | undefined>
}

/** Answers one method. */
export type Method = (call: Call) => CallAnswer | Promise<CallAnswer>

/** An answer whose templates see the request and the answer itself. */
export function filledResult({ fill }: Call, written: Value): CallAnswer {
  return { result: fill(written, written) }
}

/** The answer to a method that the server does not have. */
export function unknownMethod({ method }: Call): CallAnswer {
  return failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
}

/** Every capability that the state can have content for is declared, even when there is none (§7.1.4). */
const DEFAULT_CAPABILITIES: Value = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

const DEFAULT_SERVER_INFO: Value = { name: 'oatf-server', version: '1.0.0' }

/** The identity of the server, as written. */
interface Identity {
  readonly version: Value
  readonly capabilities: Value
  readonly serverInfo: Value
  readonly instructions?: Value
}

/** What the state says about the server; each value as written, whatever its type. */
export function serverIdentity({ state, mcpVersion = DEFAULT_MCP_VERSION }: Call): Identity {
  // Null is a value like any other; only what is absent gets a default.
  const written = (key: string, absent: Value) => (Object.hasOwn(state, key) ? (own(state, key) ?? null) : absent)
  return {
    version: written('protocol_version', mcpVersion),
    capabilities: written('capabilities', DEFAULT_CAPABILITIES),
    serverInfo: written('server_info', DEFAULT_SERVER_INFO),
    ...(Object.hasOwn(state, 'instructions') ? { instructions: written('instructions', null) } : {}),
  }
}

/** Answers with the version of the document, whatever the client asked for. */
export function initialize(call: Call): CallAnswer {
  const { version, ...rest } = serverIdentity(call)
  return filledResult(call, { protocolVersion: version, ...rest })
}
