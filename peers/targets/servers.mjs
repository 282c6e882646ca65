/** MCP configurations in the form that most agents read. */
import { readFileSync } from 'node:fs'

/** The addresses in a configuration, by server name. */
export function serversIn(file) {
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.fromEntries(Object.entries(mcpServers).map(([name, { url }]) => [name, url]))
}
