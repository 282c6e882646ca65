/** Delimits untrusted text in prompts: server instructions and request data. */
import { compactJson, type Value } from '@joust/source'

const SERVER = '## Instructions from server '
const OPEN = '<data name='
const CLOSE = '</data>'

/** Formats server instructions under the server's alias, so that they cannot imitate the agent's own instructions. */
export function serverSection(alias: string, instructions: string): string {
  return `${SERVER}${JSON.stringify(alias)}\n\n${instructions}`
}

/** Splits a system prompt into the agent's instructions and those from servers. */
export function splitSystem(text: string): { readonly own: string; readonly servers: string } {
  const start = text.startsWith(SERVER) ? 0 : text.indexOf(`\n${SERVER}`)
  return start < 0 ? { own: text, servers: '' } : { own: text.slice(0, start), servers: text.slice(start) }
}

/** Formats a value as a data block. `<` is escaped, so that no content can close the block. */
export function dataBlock(name: string, value: Value): string {
  const json = compactJson(value, 'document')
  const body = json.ok ? json.value : JSON.stringify(`(not shown: ${json.error.message})`)
  return `${OPEN}${JSON.stringify(name)}>\n${body.replaceAll('<', '\\u003c')}\n${CLOSE}`
}

/** Splits a message into its text and its data blocks. */
export function splitData(text: string): { readonly own: string; readonly data: readonly string[] } {
  const own: string[] = []
  const data: string[] = []
  let at = 0
  for (let start = text.indexOf(OPEN); start >= 0; start = text.indexOf(OPEN, at)) {
    const body = text.indexOf('\n', start)
    const end = body < 0 ? -1 : text.indexOf(CLOSE, body)
    if (end < 0) break
    own.push(text.slice(at, start))
    data.push(text.slice(body + 1, end))
    at = end + CLOSE.length
  }
  own.push(text.slice(at))
  return { own: own.join('').trim(), data }
}
