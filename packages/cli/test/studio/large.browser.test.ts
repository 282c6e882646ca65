import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Redacted, TraceEntry } from '@joust/results'
import type { SuiteEvent } from '@joust/studio'
import { expect } from 'vitest'
import { reviewAttack } from '../review-attack.ts'
import { press, type StudioPage, studioTests } from './pages.ts'

const studioTest = await studioTests()
const attacks = Array.from({ length: 1000 }, (_, index) => ({
  file: `attacks/${index}.oatf.yaml`,
  name: `Attack ${index}`,
}))
const place = { target: 'clerk', file: 'attacks/0.oatf.yaml', trial: 1 }

const message = (seq: number): SuiteEvent => {
  const entry = {
    seq,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: seq,
    actor: 'tools',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'only',
    direction: seq % 2 === 1 ? 'request' : 'response',
    flow: seq % 2 === 1 ? 'in' : 'out',
    surface: 'tools/call',
    content: { name: `tool ${seq}`, arguments: { text: 'some words '.repeat(8) } },
  } satisfies TraceEntry
  // Nothing in it is secret.
  return { kind: 'message', ...place, entry: entry as unknown as Redacted<TraceEntry> }
}

const planned: SuiteEvent = {
  kind: 'planned',
  targets: ['clerk'],
  trials: 1,
  attacks,
}

/**
 * How long it takes to draw what was typed into the field: the fastest of several, since other programs run as well.
 */
async function typing(page: StudioPage, selector: string, text: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 6; round++) {
    const value = round % 2 === 0 ? '' : text
    times.push(
      await page.evaluate<number>(`new Promise((done) => {
        const field = document.querySelector(${JSON.stringify(selector)})
        const begun = performance.now()
        field.value = ${JSON.stringify(value)}
        field.dispatchEvent(new Event('input', { bubbles: true }))
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)))
      })`),
    )
  }
  return Math.min(...times.filter((_, round) => round % 2 === 1))
}

/** How long the first view takes: the fastest of three. */
async function firstView(page: StudioPage): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    await page.reload()
    await page.until("document.querySelectorAll('.attack-list label').length === 200")
    times.push(await page.evaluate("performance.getEntriesByName('joust-shown')[0].startTime"))
  }
  return Math.min(...times)
}

studioTest(
  'a thousand attacks and ten thousand messages stay fluid',
  {},
  async (page, shoot) => {
    await page.until("document.querySelectorAll('.attack-list label').length === 200")
    expect(await firstView(page)).toBeLessThan(1000)
    expect(await typing(page, '.attack-list ~ * input, .attacks input[type=search]', '77')).toBeLessThan(100)
    await page.until("document.querySelectorAll('.attack-list label').length === 19")
    await page.click('.start button')
    await page.until("document.querySelector('.suite .spent')?.innerText.startsWith('10,000 messages')")
    expect(await page.count('.live-matrix tbody tr')).toBe(1000)
    expect(await typing(page, '.live input[type=search]', '99')).toBeLessThan(100)
    await page.click('.live-matrix .cell')
    await page.until("/^10,000 messages/.test(document.querySelector('.sequence [role=status]')?.innerText)")
    expect(await page.count('.sequence .row-message')).toBeLessThan(200)
    expect(await typing(page, '.sequence input[type=search]', 'tool 9999')).toBeLessThan(100)
    await shoot('large')
  },
  {
    work: async () => ({
      project: async () => project,
      async run(_, tell) {
        tell(planned)
        tell({ kind: 'started', ...place, file: 'attacks/99.oatf.yaml' })
        tell({ kind: 'started', ...place })
        for (let seq = 1; seq <= 10_000; seq++) tell({ ...message(seq), file: 'attacks/99.oatf.yaml' } as SuiteEvent)
        return { state: 'done', results: 'none' }
      },
    }),
  },
)

/** Loads with each number of attacks; the fastest counts, since other programs run as well. */
const LOADS = 12
const BOUND = 1.5
const project = { path: 'joust.yaml', attacks, targets: [{ name: 'clerk', kind: 'model' }], trials: 1 }
let listed = attacks.length

/** Milliseconds from the request of the page to the list of attacks. */
async function untilListed(page: StudioPage): Promise<number> {
  await page.reload()
  return page.evaluate<number>(`new Promise((done) => {
    const look = () => document.querySelectorAll('.attack-list label').length >= 10 ? done(performance.now()) : setTimeout(look, 1)
    look()
  })`)
}

studioTest(
  'a thousand attacks can be used at most 1.5 times as late as ten',
  {},
  async (page) => {
    // The other views are loaded when the browser is idle.
    await page.raw.addInitScript({ content: 'window.requestIdleCallback = () => 0' })
    const times = new Map([10, 1000].map((count) => [count, Number.POSITIVE_INFINITY]))
    // In turn, so that a busy moment of the machine affects both.
    for (let number = 0; number < LOADS; number++)
      for (const [count, fastest] of times) {
        listed = count
        times.set(count, Math.min(fastest, await untilListed(page)))
        expect(await page.text('.attacks legend')).toMatch(new RegExp(`${count} of ${count}`))
      }
    const [small = 0, large = 0] = times.values()
    console.log(`10 and 1,000 attacks can be used after ${Math.round(small)} and ${Math.round(large)} ms`)
    expect(small).toBeGreaterThan(0)
    expect(large / small).toBeLessThanOrEqual(BOUND)
  },
  {
    work: async () => ({
      project: async () => ({ ...project, attacks: attacks.slice(0, listed) }),
      run: async () => ({ state: 'done', results: 'none' }),
    }),
  },
)

studioTest(
  'results of a thousand attacks are shown hardly later than those of ten',
  {
    'joust.yaml': 'attacks: [a.oatf.yaml]\ntargets:\n  clerk: { model: sim/credulous }\n',
    'a.oatf.yaml': reviewAttack,
  },
  async (page) => {
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.suite h2')?.innerText === 'Done'")
    const home = join(page.folder, 'joust-results')
    const [name = ''] = readdirSync(home)
    const results = JSON.parse(readFileSync(join(home, name, 'results.json'), 'utf8'))
    const [target] = results.targets
    const [attack] = target.attacks
    const times = new Map([10, 1000].map((count) => [count, Number.POSITIVE_INFINITY]))
    for (const count of times.keys()) {
      const copies = Array.from({ length: count }, (_, index) => ({
        ...attack,
        file: `attacks/${index}.oatf.yaml`,
        attack: { ...attack.attack, name: `Attack ${index}` },
      }))
      mkdirSync(join(home, `with-${count}`))
      const text = JSON.stringify({ ...results, targets: [{ ...target, attacks: copies }] })
      writeFileSync(join(home, `with-${count}`, 'results.json'), text)
    }
    for (let number = 0; number < LOADS; number++)
      for (const [count, fastest] of times) {
        await page.go(`#/see/with-${count}`)
        await page.reload()
        const shown = await page.evaluate<number>(`new Promise((done) => {
          const look = () => document.querySelector('main table tbody tr') !== null ? done(performance.now()) : setTimeout(look, 1)
          look()
        })`)
        times.set(count, Math.min(fastest, shown))
      }
    const [small = 0, large = 0] = times.values()
    console.log(`results of 10 and 1,000 attacks are shown after ${Math.round(small)} and ${Math.round(large)} ms`)
    expect(small).toBeGreaterThan(0)
    // About 1.5 on an idle machine, and 4 with whole attacks in the response.
    expect(large / small).toBeLessThan(2.5)
  },
)

const indicator = (place: number) => `    - id: TRY-001-${place + 50}
      surface: message/send
      target: message.parts[*].text
      direction: request
      description: number ${place}
      pattern: { regex: "a+b{${place % 9},}" }
`
const long = reviewAttack.replace(
  '  indicators:\n',
  `  indicators:\n${Array.from({ length: 80 }, (_, place) => indicator(place)).join('')}`,
)

studioTest(
  'what is wrong with 500 lines is told at once, and again after a change',
  { 'a.oatf.yaml': long },
  async (page) => {
    expect(long.split('\n').length).toBeGreaterThan(500)
    await page.go('#/write/a.oatf.yaml')
    await page.reload()
    const told = "performance.getEntriesByName('joust-findings')"
    await page.until(`${told}.length > 0`)
    expect(await page.evaluate(`${told}[0].startTime`)).toBeLessThan(10_000)
    await page.evaluate(
      "document.querySelector('.cm-content').addEventListener('keydown', () => performance.mark('typed'))",
    )
    await page.focus('.cm-content')
    await page.press('Control+Home', 'x')
    await page.until("/[1-9]\\d* error/.test(document.querySelector('.file-line [role=status]').innerText)")
    const between = `${told}.at(-1).startTime - performance.getEntriesByName('typed').at(-1).startTime`
    expect(await page.evaluate(between)).toBeLessThan(3000)
  },
)
