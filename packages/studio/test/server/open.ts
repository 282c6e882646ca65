/** Opens a studio for a test, with its own folder, a stub page, and the work of the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStudio, type StudioWork } from '../../src/index.ts'

export interface TestAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: string
}

export async function openTestStudio(files: Readonly<Record<string, string>> = {}, work: Partial<StudioWork> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'joust-studio-test-'))
  const folder = join(home, 'folder')
  for (const [path, text] of Object.entries({ ...files, '../client/index.html': '<meta content="__NONCE__">' })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(folder, { recursive: true })
  const opened = await openStudio({ folder, client: join(home, 'client'), work: { ...nothing, ...work } })
  if (!opened.ok) throw new Error(opened.error)
  const { address, port, close } = opened.value
  onTestFinished(async () => {
    await close()
    rmSync(home, { recursive: true, force: true })
  })
  const token = new URL(address).searchParams.get('token') ?? ''
  const known = { authorization: `Bearer ${token}` }
  const send = (method: string, path: string, headers: Record<string, string> = known, body?: object) =>
    new Promise<TestAnswer>((resolve, reject) => {
      const sent = ask(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        },
        (got) => {
          let text = ''
          got.setEncoding('utf8')
          got.on('data', (part: string) => (text += part))
          got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, body: text }))
        },
      )
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return { folder, port, token, known, send, close, address }
}

const nothing: StudioWork = {
  project: async () => ({ attacks: [], targets: [], trials: 1 }),
  run: async () => ({ state: 'failed', message: 'nothing runs here' }),
  judge: async () => ({ ok: false, error: 'nothing is judged here' }),
  prove: async () => ({ proven: true, text: '' }),
  init: async () => ({ text: '', wrote: [] }),
  aim: {
    inputs: async () => [],
    map: async () => ({ ok: false, error: 'nothing is mapped here' }),
    documents: async () => ({ ok: false, error: 'nothing is written here' }),
  },
}
