/** `initialize`: who the server says it is, as the document has it (§7.1.4). */
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { own, type Value } from '@joust/source'
import { type Call, filledResult, type Outcome } from '../call.ts'

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

/** What the state says about the server; each value as written, whatever its kind. */
export function identityOf({ state, mcpVersion = DEFAULT_MCP_VERSION }: Call): Identity {
  // Null is a value like any other; only what is absent has a default.
  const written = (key: string, absent: Value) => (Object.hasOwn(state, key) ? (own(state, key) ?? null) : absent)
  return {
    version: written('protocol_version', mcpVersion),
    capabilities: written('capabilities', DEFAULT_CAPABILITIES),
    serverInfo: written('server_info', DEFAULT_SERVER_INFO),
    ...(Object.hasOwn(state, 'instructions') ? { instructions: written('instructions', null) } : {}),
  }
}

/** Answers with the version of the document, whatever the client asked for. */
export function initialize(call: Call): Outcome {
  const { version, ...rest } = identityOf(call)
  return filledResult(call, { protocolVersion: version, ...rest })
}
