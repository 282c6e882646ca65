import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadResults } from '@joust/results/files'
import { expect, test } from 'vitest'
import { demo } from '../../src/commands/demo.ts'
import { assets } from '../../src/terminal/assets.ts'
import { USER } from '../run/documents.ts'
import { folder, memoryIo } from '../world.ts'

const some = ['time-bomb', 'history-forgery', 'agent-card-spoofing'].map((name) =>
  join(assets.library, `${name}.oatf.yaml`),
)

test('three agents side by side, a report of all of them, and one hardened, at 60 columns', {
  timeout: 180_000,
}, async () => {
  const cwd = folder()
  const { io, stdout, stderr } = memoryIo({ cwd, isTTY: true, columns: 60, env: { NO_COLOR: '1' } })
  expect(await demo(io, some)).toBe(0)
  const text = stdout.join('')
  expect(text).toMatch(
    /^What the credulous agent did\n {2}critical {2}\S.*\n {4}agent → .*\n(?: {2}\w.*\n {4}agent → .*\n){2}\nControls\n/,
  )
  expect(text).toMatch(/^Controls\n {2}credulous +bait read in .*\n {2}cautious .*\n {2}tight limits .*\n\nattack /m)
  expect(text).toMatch(/^attack +credulous +cautious +tight limits/m)
  expect(text).toMatch(/^Client.*… +exploited +resisted +/m)
  expect(text).toMatch(/^resisted +0 of 3 +3 of 3 +\d of 3/m)
  expect(stderr.join('')).toContain('3 attacks against the agent "cautious"')
  expect(text).not.toMatch(/not_exploited|error/)
  const report = /^Report: (.+)$/m.exec(text)?.[1] ?? ''
  expect(existsSync(join(cwd, report))).toBe(true)
  expect(readFileSync(join(cwd, report), 'utf8')).toContain('sim/credulous')
  const stored = await loadResults(join(cwd, dirname(report)))
  if (!stored.ok) throw new Error(JSON.stringify(stored.error))
  const { results, folder: home } = stored.value
  expect(results.targets.map(({ kind, name }) => [kind, name])).toEqual([
    ['model', 'sim/credulous'],
    ['model', 'sim/cautious'],
    ['agent', expect.stringContaining('tight')],
  ])
  const traces = results.targets.flatMap(({ attacks }) => attacks.flatMap(({ trials }) => trials.map((of) => of.trace)))
  expect(new Set(traces).size).toBe(9)
  for (const trace of traces) expect(existsSync(join(home, trace)), trace).toBe(true)

  const free = /^(?:Report|Hardened agent): |^ {2}\d\. |^ {2}Page text asks/
  const [tables = ''] = text.split('--- examples/')
  expect(tables.split('\n').filter((line) => line.length > 60 && !free.test(line))).toEqual([])
  expect(tables).toMatch(/^\S.{6}… {2}exploited {5}\w.* stopped$/m)
  expect(text).toContain('stopped: 3 of 4 successful attacks, with 2 restraints')
  expect(text).toContain('Page text asks for a phrase in the answer:')
  expect(text).toMatch(/^--- examples\/hardening\/clerk.agf.yaml$/m)
  const agent = /^Hardened agent: (.+)$/m.exec(text)?.[1] ?? ''
  expect(readFileSync(join(cwd, agent), 'utf8')).toMatch(/max_tool_calls: 2\n$/)
})

test('fails when a simulated agent does not have its expected outcome', async () => {
  const cwd = folder({ 'dead.oatf.yaml': USER })
  const { io, stderr } = memoryIo({ cwd })
  expect(await demo(io, [join(cwd, 'dead.oatf.yaml')])).toBe(10)
  expect(stderr.join('')).toMatch(/unexpected result: credulous: .*dead\.oatf\.yaml \(\w+\)/)
})

test('without attacks there is nothing to show', async () => {
  const { io } = memoryIo({ cwd: folder() })
  expect(await demo(io, [folder({ 'x.txt': '' })])).toBe(64)
})
