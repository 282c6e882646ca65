/** Measures ThoughtJack serving the same document, if its checkout and cargo are available. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '@joust/source'
import { serverOnly, timed } from './arena.ts'

/** Seconds per message, and from the start of the process to its first response. */
interface PeerFigures {
  readonly message: number
  readonly start: number
}

/** Builds and measures ThoughtJack. On failure, returns undefined and prints the reason. */
export async function benchThoughtJack(checkout: string | undefined, folder: string): Promise<PeerFigures | undefined> {
  if (checkout === undefined) {
    console.error('peer ThoughtJack skipped: set THOUGHTJACK to its checkout')
    return undefined
  }
  const binary = join(checkout, 'target/release/thoughtjack')
  const fault = existsSync(binary) ? undefined : buildFault(checkout)
  if (fault !== undefined) {
    console.error(`peer ThoughtJack skipped: ${fault}`)
    return undefined
  }
  const document = join(folder, 'peer.yaml')
  writeFileSync(document, serverOnly)
  return measure(binary, document, await freePort())
}

function buildFault(checkout: string): string | undefined {
  const build = spawnSync('cargo', ['build', '--release', '--quiet'], { cwd: checkout, encoding: 'utf8' })
  return build.status === 0 ? undefined : (build.error?.message ?? build.stderr.trim())
}

async function measure(binary: string, document: string, port: number): Promise<PeerFigures | undefined> {
  const started = performance.now()
  const words = ['run', document, '--mcp-server', `127.0.0.1:${port}`, '--max-session', '60s', '--quiet']
  const child = spawn(binary, words, { stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${port}/mcp`
    for (let tries = 0; !(await answers(url)); tries++) {
      if (tries > 200) throw new Error('ThoughtJack does not respond')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const start = (performance.now() - started) / 1000
    return { start, message: await timed(url, 200) }
  } catch (thrown) {
    console.error(`peer ThoughtJack skipped: ${messageOf(thrown)}`)
    return undefined
  } finally {
    child.kill('SIGKILL')
  }
}

async function answers(url: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return fetch(url, { method: 'POST', headers, body }).then(
    async (answer) => {
      await answer.text()
      return true
    },
    () => false,
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
