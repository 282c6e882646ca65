/** Words of MCP that both of its sides use. */

/** The first version of MCP without a handshake and without sessions. */
export const MODERN_VERSION = '2026-07-28'

/** What the keys of `_meta` that MCP itself defines begin with. */
export const META = 'io.modelcontextprotocol/'

/** The HTTP header for sessions. */
export const SESSION_HEADER = 'mcp-session-id'

/** The error code for a resource that does not exist, or that a client may not see. */
export const RESOURCE_NOT_FOUND = -32002

/** Whether a message has no reply by protocol: the name of its method says so. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/')
}
