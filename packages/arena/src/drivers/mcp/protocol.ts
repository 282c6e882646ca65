/** MCP constants for clients and servers. */

/** The first MCP version that has neither a handshake nor sessions. */
export const MODERN_VERSION = '2026-07-28'

/** Prefix of the `_meta` keys that MCP defines. */
export const META = 'io.modelcontextprotocol/'

/** The HTTP header with the session id. */
export const SESSION_HEADER = 'mcp-session-id'

export const VERSION_HEADER = 'mcp-protocol-version'

/** The error code for a missing or inaccessible resource, before 2026-07-28. */
export const RESOURCE_NOT_FOUND = -32002

export const modernCodes = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** The params field that a client of MCP 2026-07-28 repeats in the header `Mcp-Name`. */
export const nameFields: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

export function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}
