/** Reads MCP configurations in the most common form. */
import { readFileSync } from 'node:fs'

/** Returns the server URLs in a configuration, by name. */
export function serversIn(file) {
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.fromEntries(Object.entries(mcpServers).map(([name, { url }]) => [name, url]))
}
