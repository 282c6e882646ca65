/** Constants of MCP for clients and servers. */

/** The first version of MCP without a handshake and without sessions. */
export const MODERN_VERSION = '2026-07-28'

/** The prefix of the `_meta` keys that MCP defines. */
export const META = 'io.modelcontextprotocol/'

/** The HTTP header of the session id. */
export const SESSION_HEADER = 'mcp-session-id'

/** The HTTP header of the protocol version. */
export const VERSION_HEADER = 'mcp-protocol-version'

/** The error code for a missing or inaccessible resource, before 2026-07-28. */
export const RESOURCE_NOT_FOUND = -32002

/** The error codes that MCP 2026-07-28 defines. */
export const modernCodes = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** The field of the params that a client of MCP 2026-07-28 repeats in the header `Mcp-Name`. */
export const nameFields: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** True for the method of a notification. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}
