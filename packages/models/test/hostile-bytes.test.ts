/** Any byte in any place of a message: the proxy passes it on or refuses it, and goes on. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openRun, send, startProvider, startRawProvider } from './support.ts'

const bytes = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1))

/** Sends bytes as they are and waits for the end of the connection. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.write(text, 'latin1')
  })
}

test.each([
  ['the path', (byte: string) => [`/v1/a${byte}b`, 'X-A: b']],
  ['a name', (byte: string) => ['/v1/a', `X-A${byte}: b`]],
  ['a value', (byte: string) => ['/v1/a', `X-A: a${byte}b`]],
] as const)('of a request, in %s', async (_, write) => {
  const { url, seen } = await startProvider((_request, response) => response.end('{}'))
  const run = await openRun({ upstream: url })
  const { pathname, host } = new URL(run.url)
  for (const byte of bytes) {
    const [path, header] = write(byte)
    await raw(run.url, `GET ${pathname}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${header}\r\n\r\n`)
  }
  expect(seen.length).toBeGreaterThan(50)
  expect((await send(`${run.url}/v1/models`, { method: 'GET' })).status).toBe(200)
})

test.each([
  ['the status', (byte: string) => [`O${byte}K`, 'X-A: b']],
  ['a name', (byte: string) => ['OK', `X-A${byte}: b`]],
  ['a value', (byte: string) => ['OK', `X-A: a${byte}b`]],
] as const)('of an answer, in %s', async (_, write) => {
  let head: readonly string[] = []
  const url = await startRawProvider((socket) => {
    socket.end(`HTTP/1.1 200 ${head[0]}\r\n${head[1]}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`, 'latin1')
  })
  const run = await openRun({ upstream: url })
  let passed = 0
  for (const byte of bytes) {
    head = write(byte)
    const direct = await send(`${url}/v1/models`, { method: 'GET' })
    const answer = await send(`${run.url}/v1/models`, { method: 'GET' })
    if (answer.end !== 'whole') continue
    passed += 1
    expect([answer.message, answer.headers.slice(0, 2)]).toEqual([direct.message, direct.headers.slice(0, 2)])
  }
  expect(passed).toBeGreaterThan(50)
  expect(run.calls()).toHaveLength(bytes.length)
})

test.each(['099', '000', '101', '999'])('the status %s', async (status) => {
  const url = await startRawProvider((socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))
  const run = await openRun({ upstream: url })
  const { end, status: seen } = await send(`${run.url}/v1/messages`, { body: '{}' })
  if (end === 'whole') expect(seen).toBe(Number(status))
  expect(run.calls()[0]?.finish.kind).not.toBe('complete')
})
