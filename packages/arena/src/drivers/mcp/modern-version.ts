/** The first version of MCP without a handshake and without sessions. */
export const MODERN_VERSION = '2026-07-28'
