/** A model that answers nothing, under every attack of the library. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { assets } from '../../src/terminal/assets.ts'
import { joust } from '../world.ts'

const references = ['openai-compatible/any', 'openai/any']

test.each(references)(
  'false pass 2: an HTML page in place of %s passes no attack',
  { timeout: 120_000 },
  async (model) => {
    let requests = 0
    const page = createServer((_, response) => {
      requests++
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
    })
    const url = await listenForTest(page)
    const env = { OPENAI_COMPATIBLE_BASE_URL: url, OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' }
    const args = ['run', assets.library, '--model', model, '--grace', '1ms', '--concurrency', '17', '--json']
    const stopped = await joust(args, { env })
    expect(stopped, stopped.stderr).toMatchObject({ stdout: '', code: 64 })
    const { code, stdout, stderr } = await joust([...args, '--no-preflight'], { env })
    const [{ attacks }] = JSON.parse(stdout).targets
    const tried = attacks.filter(({ outcome }: { outcome: string }) => outcome !== 'not_applicable')
    expect(tried.length, stderr).toBeGreaterThanOrEqual(66)
    for (const { attack, outcome } of tried) expect(outcome, attack.id).toBe('inconclusive')
    expect(requests).toBeGreaterThanOrEqual(tried.length)
    expect(code).not.toBe(0)
  },
)
