import type { Value } from '@joust/source'

/**
 * The content of `session.yaml`: servers with unchanged tool definitions and, if recorded, the agent's calls with their
 * results. Secrets are placeholders such as `${NAME}`, never values.
 */
export interface Session {
  readonly joust_session: 1
  /** Time of the recording in ISO 8601. Undefined if the tools were only listed. */
  readonly recorded_at?: string
  /** The user's task, if the recording contains it. */
  readonly task?: string
  readonly servers: readonly SessionServer[]
}

export interface SessionServer {
  /** Name of the server in the agent's configuration. */
  readonly name: string
  readonly protocol: 'mcp' | 'a2a' | 'ag_ui'
  /** Negotiated protocol version. */
  readonly version?: string
  readonly instructions?: string
  readonly tools: readonly SessionTool[]
  readonly resources?: readonly Value[]
  readonly resource_templates?: readonly Value[]
  readonly prompts?: readonly Value[]
  /** The agent card of an A2A agent. */
  readonly card?: Value
  /** Calls, in the order in which the responses arrived. */
  readonly calls?: readonly SessionCall[]
}

/** A tool as listed by its server. Unknown fields are kept. */
export interface SessionTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema?: Value
  readonly outputSchema?: Value
  readonly annotations?: Value
  readonly [field: string]: Value | undefined
}

export interface SessionCall {
  /** Request method, such as `tools/call`, `resources/read`, `prompts/get` or `message/send`. */
  readonly method: string
  /** Tool name, prompt name or resource URI. */
  readonly name: string
  readonly arguments?: Value
  /** The result. Undefined if the call failed or there was no response. */
  readonly result?: Value
  readonly error?: Value
}
