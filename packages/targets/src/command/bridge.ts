/** A bridge for agents that only support MCP servers started by a command. Connects standard I/O to a URL. */

import { basename } from 'node:path'

/** The Node program that runs the bridge script, because a single executable application cannot run scripts. */
export const NODE = /^node(?:js)?(?:\.exe)?$/.test(basename(process.execPath)) ? process.execPath : 'node'

export function bridgeWords(url: string): readonly [command: string, ...args: string[]] {
  return [NODE, '--input-type=module', '--eval', BRIDGE, '--', url]
}

// A string instead of a module, so that it works in sources, packages and the bundled command. The bridge repeats the
// handshake after a lost session, which clients on standard input cannot detect.
const BRIDGE = `
import { createInterface } from 'node:readline'
const url = process.argv.at(-1)
let session, version, handshake
const print = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const headers = () => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(session && { 'mcp-session-id': session }),
  ...(version && { 'mcp-protocol-version': version }),
})
const post = (text) => fetch(url, { method: 'POST', headers: headers(), body: text })
const parse = (text) => { try { return JSON.parse(text) } catch { return undefined } }
const read = async (answer, show) => {
  const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
  let text = ''
  const decoder = new TextDecoder()
  const take = (event) => {
    const data = event.split(/\\r?\\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\\n')
    const message = parse(data)
    if (message !== undefined) show(message)
  }
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (!isStream) continue
    const events = text.split(/\\r?\\n\\r?\\n/)
    text = events.pop()
    events.forEach(take)
  }
  const message = isStream ? undefined : parse(text)
  if (message !== undefined) for (const one of [message].flat()) show(one)
}
const listen = async () => {
  const stream = await fetch(url, { headers: { ...headers(), accept: 'text/event-stream' } }).catch(() => undefined)
  if (stream?.ok) await read(stream, print).catch(() => {})
  else await stream?.body?.cancel()
}
const begin = async (text, show) => {
  session = version = undefined
  const answer = await post(text)
  session = answer.headers.get('mcp-session-id') ?? undefined
  await read(answer, (message) => {
    version = message.result?.protocolVersion ?? version
    show(message)
  })
}
let renewing
const renew = () => {
  renewing ??= (async () => {
    await begin(handshake, () => {})
    await (await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).body?.cancel()
    void listen()
  })().finally(() => { renewing = undefined })
  return renewing
}
const pass = async (line) => {
  const message = parse(line)
  try {
    if (message?.method === 'initialize') {
      handshake = line
      return await begin(line, print)
    }
    const used = session
    let answer = await post(line)
    if (answer.status === 404 && used && handshake) {
      await answer.body?.cancel()
      if (session === used) await renew()
      answer = await post(line)
    }
    await read(answer, print)
    if (message?.method === 'notifications/initialized') void listen()
  } catch (thrown) {
    const error = { code: -32000, message: 'the server is not reachable: ' + (thrown.cause ?? thrown).message }
    if (message?.id !== undefined && message.method) print({ jsonrpc: '2.0', id: message.id, error })
  }
}
let last = Promise.resolve()
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line.trim() === '') return
  const isOrdered = /"method"\\s*:\\s*"(?:initialize|notifications\\/initialized)"/.test(line)
  const turn = last.then(() => (isOrdered ? pass(line) : void pass(line)))
  last = turn
})
lines.on('close', async () => {
  await last
  if (session) await fetch(url, { method: 'DELETE', headers: headers() }).catch(() => {})
  process.exit()
})
`
