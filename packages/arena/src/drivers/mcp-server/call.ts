/** A pending request from the peer. */

import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { own, type Value, type ValueRecord } from '@joust/source'
import type { RealRequest, RealSide } from '../../model/through.ts'
import type { Scene, Stage } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'

/** The response to a request; `open` keeps the stream open for later messages instead. */
export type CallAnswer = Answered | 'open'

export interface PriorMessage {
  readonly method: string
  /** Called when the message is sent, after replies to earlier messages. Returns undefined if nothing is sent. */
  readonly params: () => Value | undefined
}

interface RealCall {
  readonly side: RealSide
  readonly request: RealRequest
}

export interface Call {
  readonly id: Value
  readonly method: string
  readonly params: Value
  readonly scene: Scene
  /** The phase's state; empty if the state is not an object. */
  readonly state: ValueRecord
  readonly stage: Stage
  readonly newId: () => string
  /** See `DriverContext`. */
  readonly mcpVersion: string | undefined
  readonly real: RealCall | undefined
  /** Fills templates; `response` is as written ([OATF §5.6](https://oatf.io/specification/execution-profile/)). */
  readonly fill: (value: Value, response?: Value) => Value
  /** Sends messages before the response and waits for their replies. Returns a preliminary response, if any. */
  readonly interlude: (interludes: readonly PriorMessage[]) => Promise<CallAnswer | undefined>
}

export type Method = (call: Call) => CallAnswer | Promise<CallAnswer>

/** Templates may refer to the request and to the response. */
export function filledResult({ fill }: Call, written: Value): CallAnswer {
  return { result: fill(written, written) }
}

export function unknownMethod({ method }: Call): CallAnswer {
  return failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
}

/** Capabilities for everything a state can contain, declared even if the state does not contain it (OATF §7.1.4). */
const DEFAULT_CAPABILITIES: Value = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

const DEFAULT_SERVER_INFO: Value = { name: 'oatf-server', version: '1.0.0' }

interface Identity {
  readonly version: Value
  readonly capabilities: Value
  readonly serverInfo: Value
  readonly instructions?: Value
}

/** Values of any type are kept as written. */
export function serverIdentity({ state, mcpVersion = DEFAULT_MCP_VERSION }: Call): Identity {
  // Null is kept; only absent keys get a default.
  const written = (key: string, absent: Value) => (Object.hasOwn(state, key) ? (own(state, key) ?? null) : absent)
  return {
    version: written('protocol_version', mcpVersion),
    capabilities: written('capabilities', DEFAULT_CAPABILITIES),
    serverInfo: written('server_info', DEFAULT_SERVER_INFO),
    ...(Object.hasOwn(state, 'instructions') ? { instructions: written('instructions', null) } : {}),
  }
}
