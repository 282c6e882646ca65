import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Redacted, TraceEntry } from '@joust/results'
import type { SuiteEvent } from '@joust/studio'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { reviewAttack } from '../review-attack.ts'
import { press, type StudioPage, studioTests } from './pages.ts'

const studioTest = await studioTests()
const hostile = '<img src=x onerror=document.title=1>\u202e'
const file = 'attacks/first.oatf.yaml'
const agents = join(repositoryRoot(), 'examples/agents/sequential')
const files = {
  'joust.yaml': `attacks: [attacks]\ntargets:\n  "${hostile}": { model: sim/credulous }\n  careful: { model: sim/cautious }\n`,
  [file]: reviewAttack
    .replace('Review that gives orders', `"${hostile}"`)
    .replace(/^( +description: )[^>|\n].*$/m, `$1"${hostile}"`),
  'attacks/<b>bold.oatf.yaml': `oatf: "0.1"\nattack:\n  name: "${hostile}"\n  execution:\n    mode: "${hostile}"\n`,
  ...Object.fromEntries(
    readdirSync(agents)
      .filter((name) => name.endsWith('.agf.yaml'))
      .map((name) => [`agents/${name}`, readFileSync(join(agents, name), 'utf8')]),
  ),
}

/** Each view with something in it: its address, and what shows that it has loaded. */
async function addresses(page: StudioPage): Promise<readonly (readonly [string, string])[]> {
  const [before = '', after = ''] = readdirSync(join(page.folder, 'joust-results')).sort()
  const run = `#/run/careful/${encodeURIComponent(file)}/1`
  return [
    ['#/write', '.write h1'],
    [`#/write/${file}`, '.picture'],
    [`#/write/attacks/${encodeURIComponent('<b>bold.oatf.yaml')}`, '.problems li'],
    ['#/write/agents/agent.agf.yaml', '.graph .node'],
    ['#/run', '.live-matrix .cell'],
    [run, '.sequence .row-message'],
    ['#/see', '.target-trend'],
    [`#/see/${after}`, 'main table'],
    [`#/see/${after}?target=careful&file=${encodeURIComponent(file)}`, '.sequence'],
    [`#/see/compare/${before}/${after}`, '.live-matrix'],
    [`#/see/compare/${before}/${after}/careful/${encodeURIComponent(file)}`, '.side-by-side'],
    ['#/judge', '.judge .cm-content'],
  ]
}

async function walk(
  page: StudioPage,
  shoot: (name: string) => Promise<void>,
  width: number,
  themes: readonly ('light' | 'dark')[],
): Promise<void> {
  await press(page, 'button', 'Start 4')
  await press(page, 'button', 'Run again')
  await expect.poll(() => readdirSync(join(page.folder, 'joust-results')).length, { timeout: 30_000 }).toBe(2)
  for (const [place, [address, selector]] of (await addresses(page)).entries()) {
    await page.go(address)
    await page.until(`document.querySelector(${JSON.stringify(selector)}) !== null`)
    for (const theme of themes) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      expect(await page.axe(), `${address} ${theme}`).toEqual([])
    }
    await shoot(`view-${place}-${width}`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true)
    // In the editor, too, where such a name is written out.
    if (address === `#/write/${file}`) expect(await page.count('.cm-specialChar')).toBeGreaterThan(0)
    expect(await page.count('img[src], main b b'), address).toBe(0)
    expect(await page.evaluate('document.title'), address).toContain('Joust studio')
  }
}

studioTest(
  'every view is clean in light and dark, and hostile names are text in it',
  files,
  (page, shoot) => walk(page, shoot, 1280, ['light', 'dark']),
  {
    viewport: { width: 1280, height: 800 },
  },
)

studioTest('every view fits a phone', files, (page, shoot) => walk(page, shoot, 390, ['light', 'dark']), {
  viewport: { width: 390, height: 844 },
})

studioTest('a new file is written when it is saved and not before, and undo takes it away again', {}, async (page) => {
  const path = 'attacks/mine.oatf.yaml'
  await page.press('Alt+1')
  await page.until("document.querySelector('.write h1')?.innerText === 'No documents yet'")
  expect(await page.axe()).toEqual([])
  await page.type('.files form input', 'attacks/mine')
  await press(page, 'button', 'New')
  await page.until("document.querySelector('.cm-content')?.innerText.includes('attack:') === true")
  await page.focus('.cm-content')
  await page.press('Control+End')
  await page.raw.keyboard.insertText('# mine')
  expect(existsSync(join(page.folder, path))).toBe(false)
  await page.press('Control+s')
  await page.until("document.querySelector('.file-line [role=status]').innerText.startsWith('saved')")
  expect(readFileSync(join(page.folder, path), 'utf8')).toContain('# mine')
  // Tab indents; after Escape it leaves the editor.
  await page.focus('.cm-content')
  await page.press('Escape', 'Escape', 'Tab')
  await page.until("!document.activeElement.closest('.cm-content')")
  await press(page, 'button', 'Undo save')
  await expect.poll(() => existsSync(join(page.folder, path))).toBe(false)
  // Unsaved text is found again, and discarded only when the user says so.
  await page.until("document.querySelector('.files li')?.innerText.includes('not saved') === true")
  expect(await page.axe()).toEqual([])
  await page.go('#/write')
  await press(page, '.files a', 'mine.oatf.yaml')
  await page.until("document.querySelector('.cm-content')?.innerText.includes('# mine') === true")
  await page.evaluate('window.confirm = () => false')
  await press(page, 'button', 'Discard')
  expect(await page.text('.cm-content')).toContain('# mine')
  await page.evaluate('window.confirm = () => true')
  await press(page, 'button', 'Discard')
  await page.until("document.querySelector('.write h1')?.innerText === 'No documents yet'")
})

studioTest(
  'a new agent begins with an outline that can be run, and a new line of YAML stands where it belongs',
  {},
  async (page) => {
    await page.press('Alt+1')
    await page.until("document.querySelector('.files form input') !== null")
    await page.type('.files form input', 'agents/my clerk.agf.yaml')
    await press(page, 'button', 'New')
    await page.until(
      "document.querySelector('.file-line [role=status]')?.innerText.includes('0 errors, 0 warnings') === true",
    )
    await page.until("document.querySelector('.graph') !== null")
    // The key saves wherever the focus is.
    await page.focus('.files input[type=search]')
    await page.press('Control+s')
    await expect.poll(() => existsSync(join(page.folder, 'agents/my clerk.agf.yaml'))).toBe(true)
    await page.type('.files form input', 'joust.yaml')
    await press(page, 'button', 'New')
    await page.until("document.querySelector('.cm-content')?.innerText.includes('sim/credulous') === true")
    await page.focus('.cm-content')
    await page.press('Control+End')
    await page.raw.keyboard.insertText('  clerk:')
    await page.press('Enter')
    await page.raw.keyboard.insertText('agent: agents/my clerk.agf.yaml')
    await page.press('Control+s')
    await expect
      .poll(() => existsSync(join(page.folder, 'joust.yaml')) && readFileSync(join(page.folder, 'joust.yaml'), 'utf8'))
      .toMatch(/\n {2}clerk:\n {4}agent: agents\/my clerk\.agf\.yaml$/)
  },
)

const place = { target: 'clerk', file, trial: 1 }
const message = (seq: number): SuiteEvent => {
  const entry = {
    seq,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: seq,
    actor: 'tools',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'only',
    direction: 'request',
    flow: 'in',
    surface: 'tools/call',
    content: { name: `tool ${seq}` },
  } satisfies TraceEntry
  // Nothing in it is secret.
  return { kind: 'message', ...place, entry: entry as unknown as Redacted<TraceEntry> }
}

let goOn: () => void
const MANY = 21_000

studioTest(
  'a run that is watched grows, and misses nothing while the connection is cut',
  {},
  async (page) => {
    const shown = (count: number) =>
      page.until(`document.querySelector('.sequence [role=status]')?.innerText.replaceAll(/\\D/g, '') === '${count}'`)
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.live-matrix .cell') !== null")
    await page.click('.live-matrix .cell')
    await shown(30)
    goOn()
    await shown(60)
    page.cut()
    await page.until("document.querySelector('.trouble').innerText.startsWith('Connection lost')")
    goOn()
    page.mend()
    await shown(90)
    goOn()
    await shown(120)
    // Thousands at once.
    page.cut()
    await page.until("document.querySelector('.trouble').innerText.startsWith('Connection lost')")
    goOn()
    page.mend()
    await shown(MANY)
    goOn()
    await shown(MANY + 1)
    const text = await page.text('.sequence')
    const seen = [...new Set([...text.matchAll(/tool (\d+)/g)].map((match) => Number(match[1])))]
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index))
    expect(await page.axe()).toEqual([])
  },
  {
    work: async () => ({
      project: async () => ({
        path: 'joust.yaml',
        attacks: [{ file, name: 'One' }],
        targets: [{ name: 'clerk', kind: 'model' }],
        trials: 1,
      }),
      async run(_, tell) {
        tell({
          kind: 'planned',
          targets: ['clerk'],
          trials: 1,
          attacks: [{ file, name: 'One' }],
        })
        tell({ kind: 'started', ...place })
        for (let seq = 1; seq <= MANY + 1; seq++) {
          tell(message(seq))
          if ([30, 60, 90, 120, MANY].includes(seq))
            await new Promise<void>((done) => {
              goOn = done
            })
        }
        return { state: 'done', results: 'none' }
      },
    }),
  },
)

studioTest(
  'a page has a heading while it loads',
  {},
  async (page) => {
    await page.until("document.querySelector('main h1')?.innerText === 'Loading …'")
    expect(await page.axe()).toEqual([])
  },
  { work: async () => ({ project: () => new Promise(() => {}) }) },
)
