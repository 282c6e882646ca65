import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { runPositiveControl } from '../../src/index.ts'

const library = join(import.meta.dirname, '../../../../library')

function attack(name: string, change: (text: string) => string = (text) => text) {
  const loaded = load(change(readFileSync(join(library, `${name}.oatf.yaml`), 'utf8')))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return { file: name, attack: loaded.value }
}

async function controlOf(one: ReturnType<typeof attack>) {
  return (await runPositiveControl([one])).get(one.attack.fingerprint)
}

test.each(['agent-card-spoofing', 'server-path-traversal'])(
  '%s is proven by a simulated agent or server',
  async (name) => {
    expect(await controlOf(attack(name))).toEqual({ proven: true, unspecific: false, repeatable: true })
  },
)

test('a document whose indicators look for another text is not proven', async () => {
  const silenced = attack('agent-card-spoofing', (text) =>
    text.replaceAll(/^( +(?:contains|regex|value): ).*$/gm, '$1zzqx'),
  )
  expect(await controlOf(silenced)).toMatchObject({ proven: false, unspecific: false })
})

test('an interrupted control has no result', async () => {
  const results = await runPositiveControl([attack('agent-card-spoofing')], { signal: AbortSignal.abort() })
  expect(results.size).toBe(0)
})
