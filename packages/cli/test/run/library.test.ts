/** The attacks that come with the command: sound, and proven to tell agents apart. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { needsOf } from '@joust/arena'
import { type Category, lint, load, parse, remediationOf } from '@joust/oatf'
import { findSimulatedHost } from '@joust/targets'
import { expect, test } from 'vitest'
import { assets } from '../../src/terminal/assets.ts'
import { joust } from '../world.ts'

const library = assets.library
const files = readdirSync(library).filter((name) => name.endsWith('.oatf.yaml'))
const documents = files.map((file) => {
  const text = readFileSync(join(library, file), 'utf8')
  const loaded = load(text)
  if (!loaded.ok) throw new Error(`${file}: ${JSON.stringify(loaded.error)}`)
  return { file, ...loaded.value }
})

test('every document is sound: no warning, nothing to lint', () => {
  for (const { file, warnings, document } of documents) {
    expect(warnings, file).toEqual([])
    expect(lint(document), file).toEqual([])
  }
})

test('every document names its bait by paths that exist in the document as written', () => {
  for (const { file, text } of documents) {
    const parsed = parse(text)
    if (!parsed.ok) throw new Error(`${file}: ${JSON.stringify(parsed.error)}`)
    const bait = parsed.value.attack['x-joust-bait']
    if (!Array.isArray(bait)) throw new Error(`${file}: no bait`)
    expect(bait, file).not.toEqual([])
    for (const path of bait) expect(valueAt(parsed.value, path), `${file}: ${path}`).toBeDefined()
  }
})

test('every document has a remediation of two sentences', () => {
  for (const { file, document } of documents)
    expect(remediationOf(document.attack)?.split(/(?<=\.) /), file).toHaveLength(2)
  expect(new Set(documents.map(({ document }) => remediationOf(document.attack))).size).toBe(documents.length)
})

test('ids are unique, and the README has a line for each', () => {
  const ids = documents.map(({ document }) => document.attack.id)
  expect(new Set(ids).size).toBe(documents.length)
  const readme = readFileSync(join(library, 'README.md'), 'utf8')
  for (const { file } of documents) expect(readme).toContain(file.replace('.oatf.yaml', ''))
})

test('every category, every mode, every tier, both logics, and frameworks of each kind', () => {
  const attacks = documents.map(({ document }) => document.attack)
  const categories = new Set(attacks.map(({ classification }) => classification?.category))
  const all: Category[] = [
    'availability_disruption',
    'capability_poisoning',
    'context_manipulation',
    'cross_protocol_chain',
    'oversight_bypass',
    'response_fabrication',
    'temporal_manipulation',
  ]
  expect([...categories].sort()).toEqual(all)
  const actors = attacks.flatMap(({ execution }) => execution.actors ?? [])
  expect([...new Set(actors.map(({ mode }) => mode))].sort()).toEqual([
    'a2a_client',
    'a2a_server',
    'ag_ui_client',
    'mcp_client',
    'mcp_server',
  ])
  const indicators = attacks.flatMap((attack) => attack.indicators ?? [])
  expect([...new Set(indicators.flatMap(({ tier }) => tier ?? []))].sort()).toEqual([
    'boundary_breach',
    'ingested',
    'local_action',
  ])
  expect(indicators.some(({ expression }) => expression !== undefined)).toBe(true)
  expect(new Set(attacks.map(({ correlation }) => correlation?.logic))).toEqual(new Set(['any', 'all']))
  const frameworks = new Set(
    attacks.flatMap(({ classification }) => (classification?.mappings ?? []).map(({ framework }) => framework)),
  )
  for (const framework of ['atlas', 'owasp_llm', 'owasp_mcp', 'cwe']) expect(frameworks).toContain(framework)
  expect(documents.length).toBeGreaterThanOrEqual(46)
})

/** Documents whose simulated host needs a program that this machine lacks. */
const unplayable = documents.filter((one) => findSimulatedHost(needsOf(one))?.missing?.() !== undefined)
if (unplayable.length > 0)
  console.warn(`\nSKIPPED: ${unplayable.length} attacks with apps were not proven: there is no Chromium\n`)

test('every document is proven', { timeout: 120_000 }, async () => {
  const { code, stdout } = await joust(['prove', library, '--json'])
  const results: readonly { file: string; proven: boolean }[] = JSON.parse(stdout)
  const unproven = results.filter(({ proven }) => !proven).map(({ file }) => basename(file))
  expect(unproven).toEqual(unplayable.map(({ file }) => file))
  expect(code).toBe(unplayable.length === 0 ? 0 : 1)
})

test('joust library list: a line each, whole where it fits, else without what does not pick an attack', async () => {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
  const linesAt = async (columns: number) =>
    (await joust(['library', 'list'], { isTTY: true, columns })).stdout.replaceAll(escapes, '').trimEnd().split('\n')
  const wide = await linesAt(200)
  expect(wide).toContain(
    'JOUST-127  critical      temporal_manipulation    ag_ui+mcp        Tool result turns malicious after a delay time-bomb',
  )
  const narrow = await linesAt(60)
  expect(narrow.map((line) => line.slice(0, 10))).toEqual(wide.map((line) => line.slice(0, 10)))
  expect(narrow).toContain('JOUST-129  medium        Instruction split across three runs')
  expect(Math.max(...narrow.map((line) => line.length))).toBe(60)
})

test('joust library', async () => {
  const list = await joust(['library', 'list'])
  expect(list.stdout.trim().split('\n')).toHaveLength(documents.length)
  const few = await joust(['library', 'list', '--protocol', 'a2a', '--json'])
  expect(JSON.parse(few.stdout).every(({ protocols }: { protocols: string[] }) => protocols.includes('a2a'))).toBe(true)
  const [first] = documents
  const shown = await joust(['library', 'show', (first?.file ?? '').replace('.oatf.yaml', '')])
  expect(shown).toMatchObject({ code: 0, stdout: first?.text })
  expect(await joust(['library', 'show', first?.document.attack.id ?? ''])).toMatchObject({ code: 0 })
  expect(await joust(['library', 'show', first?.file ?? ''])).toMatchObject({ code: 0 })
  expect(await joust(['library', 'show', 'time-bom'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('did you mean time-bomb?'),
  })
})

/** The value at a path such as `attack.execution.phases[1].state`. */
function valueAt(document: unknown, path: string): unknown {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  return keys.reduce<unknown>((value, key) => Object.entries(value ?? {}).find(([name]) => name === key)?.[1], document)
}

// A slow agent would be sent the next message, or be served the next phase, before it has seen the first one.
test('no phase of a document that sends or serves something ends by the clock alone', () => {
  const early = files.flatMap((file) => {
    const loaded = load(readFileSync(join(library, file), 'utf8'))
    if (!loaded.ok) return [file]
    return loaded.value.document.attack.execution.actors.flatMap(({ phases }) =>
      phases.flatMap(({ name, state, trigger }) => {
        const acts = ['run_agent_input', 'actions', 'tools', 'task_responses'].some((key) =>
          Object.hasOwn(Object(state), key),
        )
        return acts && trigger !== undefined && trigger.event === undefined ? [`${file}: ${name}`] : []
      }),
    )
  })
  expect(early).toEqual([])
})
