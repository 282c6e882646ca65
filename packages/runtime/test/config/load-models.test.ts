import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageWithHint } from '@joust/source'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadBindings } from '../../src/config/load-bindings.ts'
import { PROJECT_FILE } from '../../src/config/shape.ts'
import { makeAgent } from '../support/agents.ts'
import { outputOf } from '../support/run.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'joust-models-'))
})
afterEach(() => rm(home, { recursive: true }))

/** A project file with nothing but bindings. */
function bindings(text: string): string {
  return `bindings:\n${text.replaceAll(/^(?=.)/gm, '  ')}`
}

async function load(text: string, environment: Record<string, string> = {}) {
  const path = join(home, PROJECT_FILE)
  await writeFile(path, bindings(text))
  return loadBindings(path, { environment })
}

async function modelsOf(text: string, environment: Record<string, string> = {}) {
  const loaded = await load(text, environment)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  // A configuration yields a record.
  return loaded.value.models as Exclude<typeof loaded.value.models, undefined>
}

async function faults(text: string, environment: Record<string, string> = {}): Promise<string[]> {
  const loaded = await load(text, environment)
  if (loaded.ok) return []
  return loaded.error.map((found) => {
    const { line = 0, column = 0, code, path = '' } = found
    // As if the bindings were the whole file.
    return `${line - 1}:${column - 2} ${code} ${path.replace(/^bindings\.?/, '')} | ${messageWithHint(found)}`
  })
}

const talker = (model: string) =>
  makeAgent({
    input: { type: 'string' },
    output: { type: 'string' },
    policy: { id: 'agf.react', config: { instructions: 'Talk.', model } },
  })

describe('models of a configuration', () => {
  test('may contain variables', async () => {
    const text = `models:\n  gpt: "\${PROVIDER}/gpt-x"\n  other: sim/scripted\n`
    expect(await modelsOf(text, { PROVIDER: 'openai' })).toEqual({ gpt: 'openai/gpt-x', other: 'sim/scripted' })
  })

  test('replay a script relative to the configuration', async () => {
    await writeFile(join(home, 'turns.yaml'), '- text: first\n- text: second\n')
    const models = await modelsOf(`models:\n  gpt: { script: "\${NAME}.yaml" }\n`, { NAME: 'turns' })
    expect(await outputOf(talker('gpt'), 'hi', { models })).toBe('first')
    expect(await outputOf(talker('gpt'), 'hi', { models })).toBe('second')
  })

  test.each([
    ['local/llama', '', 'llama'],
    ['local/llama', `, model: "meta/llama-\${SIZE}"`, 'meta/llama-8'],
  ])('are called at a URL (%s%s)', async (reference, more, expected) => {
    const seen: unknown[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push([request.url, request.headers.authorization, JSON.parse(body).model])
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
      const answer = { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has an address of this type.
    const { port } = server.address() as AddressInfo
    try {
      const text = `models:\n  ${reference}: { base_url: "http://127.0.0.1:${port}/v1/", api_key: "\${KEY}"${more} }\n`
      const models = await modelsOf(text, { KEY: 'k3y', SIZE: '8' })
      expect(await outputOf(talker(reference), 'hi', { models })).toBe('hello')
      expect(seen).toEqual([['/v1/chat/completions', 'Bearer k3y', expected]])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('reports all problems with models at their position', () => {
  test('names', async () => {
    const text = `models:\n  a: gpt-x\n  b: opnai/gpt-x\n  c: openai/\n  d: sim/credulos\n  e: "\${MISSING}"\n  f: [x]\n`
    expect(await faults(text)).toEqual([
      '2:6 config_invalid models.a | model "gpt-x" has no provider, expected provider/model, for example openai/gpt-x',
      expect.stringMatching(/^3:6 config_invalid models\.b \| unknown model provider .* Did you mean "openai"\?$/),
      '4:6 config_invalid models.c | model reference "openai/" has no model name after the slash',
      expect.stringMatching(/^5:6 config_invalid models\.d \| unknown simulated model .* Did you mean "credulous"\?$/),
      '6:6 missing_variable models.e | the environment variable MISSING is not set',
      '7:6 config_invalid models.f | expected a string, got a list',
    ])
  })

  test('mappings', async () => {
    const text = `models:
  a: {}
  b: { script: x, base_url: y }
  c: { base_url: nowhere }
  d: { base_url: "http://me:secret@localhost" }
  e: { base_url: "http://localhost", key: x }
  f: { script: 5, model: x }
`
    expect(await faults(text)).toEqual([
      '2:3 config_invalid models.a | expected a model name or one of "script" and "base_url", got neither',
      expect.stringMatching(/^3:3 config_invalid models\.b \| .*got both$/),
      expect.stringMatching(/^4:18 config_invalid models\.c\.base_url \| invalid URL/),
      expect.stringMatching(/^5:18 config_invalid models\.d\.base_url \| .*use "api_key"$/),
      expect.stringMatching(/^6:38 unknown_field models\.e\.key/),
      '7:16 config_invalid models.f.script | expected a string, got an integer; put it in quotes',
      expect.stringMatching(/^7:19 unknown_field models\.f\.model/),
    ])
  })

  test('scripts', async () => {
    await writeFile(join(home, 'bad.yaml'), '- text: 5\n')
    const found = await faults('models:\n  a: { script: none.yaml }\n  b: { script: bad.yaml }\n')
    expect(found).toEqual([
      expect.stringMatching(/^2:16 config_invalid models\.a\.script \| cannot read the script: .*none\.yaml/),
      expect.stringMatching(/^3:16 config_invalid models\.b\.script \| script, line 1, column 9: expected a string/),
    ])
  })

  test('without the values of variables', async () => {
    const text = `models:\n  a: "\${NAME}"\n  b: { base_url: "http://localhost", api_key: "\${KEY}" }\n`
    const found = await faults(text, { NAME: 's3cret', KEY: 's3cret\nbreak' })
    expect(found).toEqual([
      '2:6 config_invalid models.a | invalid model after variable substitution, expected provider/model',
      '3:47 config_invalid models.b.api_key | invalid API key: not allowed in an HTTP header',
    ])
  })
})
