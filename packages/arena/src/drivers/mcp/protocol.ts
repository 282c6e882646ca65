/** Constants of MCP for clients and servers. */

/** The first version of MCP without a handshake and without sessions. */
export const MODERN_VERSION = '2026-07-28'

/** The prefix of the `_meta` keys that MCP defines. */
export const META = 'io.modelcontextprotocol/'

/** The HTTP header of the session id. */
export const SESSION_HEADER = 'mcp-session-id'

/** The error code for a missing or inaccessible resource. */
export const RESOURCE_NOT_FOUND = -32002

/** True for the method of a notification. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}
