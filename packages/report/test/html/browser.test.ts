/** The report in a real browser. Skipped, loudly, where there is none. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Trial } from '@joust/arena'
import { afterAll, expect, test } from 'vitest'
import { renderHtml } from '../../src/html/report.ts'
import { drive, type Page, type PageOptions, startBrowser } from './browser.ts'
import { attack, entry, messages, opening, results, trial } from './sample.ts'

const browser = await startBrowser()
if (typeof browser === 'string') console.warn(`\nSKIPPED: the HTML report was not opened in a browser: ${browser}\n`)

const folder = mkdtempSync(join(tmpdir(), 'joust-report-'))
const shots = process.env.JOUST_SCREENSHOTS
if (shots !== undefined) mkdirSync(shots, { recursive: true })
afterAll(async () => {
  if (typeof browser !== 'string') await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A test with a page of its own; it fails when the page throws, complains or asks the network for anything. */
function inBrowser(
  name: string,
  html: () => Promise<string>,
  work: (page: Page) => Promise<void>,
  options: PageOptions = {},
) {
  test.skipIf(typeof browser === 'string')(name, async () => {
    if (typeof browser === 'string') return
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.html`)
    writeFileSync(file, await html())
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => complaints.push(message.text?.() ?? ''))
    page.on('request', (request) => {
      if (request.url?.().startsWith('file:') !== true) complaints.push(request.url?.() ?? '')
    })
    await page.goto(pathToFileURL(file).href)
    await work(drive(page))
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}.png`) })
    await page.close()
    expect(complaints).toEqual([])
  })
}

const resisted = {
  outcome: 'resisted' as const,
  verdict: { ...trial(1).verdict, result: 'not_exploited' as const, indicator_verdicts: [] },
}
const lost = { outcome: 'inconclusive' as const, reasons: ['the agent never fetched the bait'] }
const several = results([
  attack('quiet', { trials: [trial(1, resisted)] }, { severity: 'low', protocols: ['a2a'] }),
  attack('loud', {}, { description: 'Sends the code by mail.' }),
  attack('mixed', { trials: [trial(1), trial(2, resisted), trial(3)] }, { severity: 'critical' }),
])
const usual = () => renderHtml(several, opening(messages))

const names = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.attack-name')].map((link) => link.textContent)`)
const text = (page: Page, selector: string) =>
  page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)
const count = (page: Page, selector: string) =>
  page.evaluate<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`)
const hash = (page: Page) => page.evaluate<string>('location.hash')

inBrowser('matrix and filters', usual, async (page) => {
  expect(await names(page)).toEqual(['Attack mixed', 'Attack loud', 'Attack quiet'])
  expect(await text(page, 'tbody tr:last-child .verdict')).toContain('Resisted')
  expect(await text(page, 'tbody tr:first-child .verdict')).toContain('2/3 · flaky')
  await page.click('[data-value=resisted]')
  expect(await names(page)).toEqual(['Attack quiet'])
  await page.click('[data-value=resisted]')
  await page.click('[data-value=critical]')
  await page.click('[data-value=high]')
  expect(await names(page)).toEqual(['Attack mixed', 'Attack loud'])
  await page.type('#search', 'mail')
  expect(await names(page)).toEqual(['Attack loud'])
  await page.type('#search', '')
  await page.choose('[data-field=protocol]', 'a2a')
  expect(await names(page)).toEqual([])
  expect(await text(page, '.shown')).toBe('0 of 3 attacks')
})

inBrowser(
  'targets side by side',
  () => renderHtml([several, results(several.targets[0]?.attacks.slice(0, 1) ?? [], 'hardened')], opening(messages)),
  async (page) => {
    const cells = (row: number) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('tbody tr')[${row}].querySelectorAll('.col-target')].map((cell) => cell.innerText.split('\\n')[0])`,
      )
    expect(await text(page, 'thead')).toContain('hardened')
    expect(await cells(1)).toEqual(['Exploited', 'not run'])
    expect(await cells(2)).toEqual(['Resisted', 'Resisted'])
  },
)

inBrowser(
  'why nothing can be said, and what the agent was sent',
  () => renderHtml(results([attack('away', { trials: [trial(1, lost)] })]), opening(messages)),
  async (page) => {
    await page.click('tbody tr:first-child .verdict')
    expect(await text(page, '.attack-title .result')).toBe('Inconclusive')
    expect(await text(page, '.attack-title')).not.toContain('Boundary breach')
    expect(await text(page, '.reasons')).toBe('the agent never fetched the bait')
    expect(await text(page, '.exposure')).toBe('The agent was sent 1 of 2 planted texts; the bait: tool (delivered).')
  },
)

inBrowser('diagram, evidence and why', usual, async (page) => {
  await page.click('tbody tr:nth-child(2) .attack-name')
  expect(await text(page, 'h1')).toBe('Attack loud')
  const lanes = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.lane-name b')].map((lane) => lane.textContent)`,
  )
  expect(lanes).toEqual(['user', 'help-desk', 'server'])
  await page.until(`document.querySelectorAll('.row').length === 7`)
  expect(await text(page, '.row-phase')).toContain('armed')
  expect(await count(page, '#message-3 .sign-trigger')).toBe(1)
  expect(await count(page, '#message-4.row-evidence .arrow-right')).toBe(1)
  expect(await text(page, '.indicator-not_matched .funnel')).toMatch(/surface tools\/delete\s*0/)
  expect(await text(page, '.indicator-matched .evidence mark')).toBe('7311')
  await page.click('.indicator-matched summary')
  await page.until(`document.querySelectorAll('.resolved li').length === 2`)
  expect(await text(page, '.resolved')).toContain('nothing there')
  const said = await text(page, '.why')
  for (const part of ['phase-expired', 'http://127.0.0.1:1/mcp', 'Approved', '1.23 s', 'trigger'])
    expect(said).toContain(part)
  await page.click('.open-message')
  expect(await text(page, '.message .json mark')).toBe('7311')
  expect(await text(page, '.message .json')).toContain('"to": "eve"')
  expect(await hash(page)).toBe('#/0/1/0/5')
  await page.type('.sequence-tools input', 'tools/list')
  await page.until(`document.querySelectorAll('.row').length === 2`)
})

const seen = { seq: 4, actor: 'server', phase: 'calm', surface: 'tools/call', flow: 'in' as const }
const taskOf = (changes: Partial<Trial['task']>): Partial<Trial> => ({
  task: {
    ...resisted.verdict,
    result: 'exploited',
    indicator_verdicts: [
      {
        indicator_id: 'asked',
        result: 'matched',
        match: { path: 'name', value: 'tool-4', span: { start: 0, end: 6 } },
        entry: seen,
      },
      { indicator_id: 'told', result: 'not_matched', evidence: 'no message has such a field' },
    ],
    ...changes,
  },
})
const diagnostics = [{ severity: 'error', code: 'task-malformed', message: 'the task has no indicators' } as const]
const withTask = () =>
  renderHtml(
    results([
      attack(
        'task',
        { trials: [trial(1, taskOf({})), trial(2, taskOf({ result: 'error', indicator_verdicts: [], diagnostics }))] },
        { task: [{ id: 'asked', surface: 'tools/call', target: 'name', method: 'pattern', line: 60 }] },
      ),
    ]),
    opening(messages),
  )

inBrowser(
  'a task that is done looks like no danger',
  withTask,
  async (page) => {
    await page.click('tbody .attack-name')
    const colour = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`)
    const red = await colour('.result-exploited')
    for (const sign of ['.task-result', '.task-matched .result', '.task-not_matched .result'])
      expect(await colour(sign)).not.toBe(red)
    const mark = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fill`)
    expect(await mark('.utility .interval-rate')).not.toBe(await mark('.interval-rate'))
    expect(await text(page, '.task-result')).toBe('Done: the agent did what the user wanted')
    expect(await text(page, '.task-matched')).toMatch(/^Seen\s+asked\s+Pattern on name · line 60\s+name tool-4/)
    expect(await text(page, '.task-not_matched')).toMatch(/^Not seen\s+told\s+no message has such a field/)
    await page.click('.task-matched .open-message')
    expect(await text(page, '.message h2')).toMatch(/^#4/)
    expect(await text(page, '.message .json mark')).toBe('tool-4')
    expect(await colour('.message .proof .result')).not.toBe(red)
    await page.press('Escape')
    await page.click('.trial:nth-of-type(2)')
    expect(await text(page, '.task-result')).toMatch(/^Not known/)
    const beyond = `document.querySelector('.task-result span').getBoundingClientRect().right - innerWidth`
    expect(await page.evaluate<number>(beyond)).toBeLessThanOrEqual(0)
    expect(await text(page, '.task-result + .findings')).toContain('the task has no indicators')
  },
  { viewport: { width: 320, height: 740 } },
)

inBrowser('trials', usual, async (page) => {
  await page.click('tbody tr:first-child .verdict')
  expect(await text(page, '.statistics')).toMatch(/66\.7 % of the trials got through: 2 of 3/)
  await page.click('.trial:nth-of-type(2)')
  expect(await text(page, '.attack-title .result')).toBe('Resisted')
  expect(await hash(page)).toBe('#/0/2/1')
})

inBrowser('by keyboard alone', usual, async (page) => {
  const focused = () =>
    page.evaluate<string>(`document.activeElement.closest('tr')?.querySelector('.attack-name').textContent ?? ''`)
  await page.press('/')
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('search')
  await page.focus('tbody a')
  await page.press('ArrowDown')
  expect(await focused()).toBe('Attack loud')
  await page.press('ArrowRight')
  expect(await page.evaluate<string>('document.activeElement.className')).toBe('verdict')
  expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  expect(await count(page, 'tbody a[tabindex="0"]')).toBe(1)
  await page.press('Enter')
  await page.until(`document.querySelectorAll('.row').length === 7`)
  await page.focus('.virtual')
  await page.press('End')
  await page.press('ArrowUp')
  await page.press('Enter')
  expect(await text(page, '.message h2')).toMatch(/^#5\s*tools\/call/)
  await page.press('ArrowUp')
  expect(await text(page, '.message h2')).toMatch(/^#4/)
  await page.press('Escape')
  await page.until(`document.querySelector('.message').hidden`)
  expect(await page.evaluate<string>(`document.activeElement.getAttribute('role')`)).toBe('listbox')
  await page.press('Escape')
  await page.until(`document.querySelector('.matrix') !== null`)
  expect(await focused()).toBe('Attack loud')
})

const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

inBrowser(
  'dark as the system has it or as chosen',
  usual,
  async (page) => {
    expect(await ground(page)).toBe('rgb(18, 19, 21)')
    await page.click('.theme')
    expect(await ground(page)).toBe('rgb(250, 250, 248)')
    await page.click('.theme')
    expect(await ground(page)).toBe('rgb(18, 19, 21)')
  },
  { colorScheme: 'dark' },
)

inBrowser(
  'a phone',
  usual,
  async (page) => {
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    expect(await wide()).toBeLessThanOrEqual(0)
    await page.click('tbody tr:nth-child(2) .attack-name')
    expect(await wide()).toBeLessThanOrEqual(0)
    await page.click('.jump')
    await page.until(`document.querySelectorAll('.row').length === 7`)
    await page.click('#message-4')
    await page.until(`!document.querySelector('.message').hidden`)
    expect(await page.evaluate<number>(`document.querySelector('.message').getBoundingClientRect().width`)).toBe(360)
    expect(await wide()).toBeLessThanOrEqual(0)
  },
  { viewport: { width: 360, height: 740 } },
)

const HOSTILE = [
  '<script>window.owned = 1</script>',
  '</script><script>window.owned = 1</script>',
  '<img src=x onerror="window.owned = 1">',
  '"><svg onload=window.owned=1>',
  'javascript:window.owned=1',
  '\u001b[31mred\u001b[0m \u0000\u0007\u009b',
  'good\u202eevil\u202c \u2066isolated\u2069 \u200b',
].join('\n')
const hostileVerdict = {
  ...trial(1).verdict,
  indicator_verdicts: [
    {
      indicator_id: HOSTILE,
      result: 'matched' as const,
      evidence: HOSTILE,
      match: { path: HOSTILE, value: HOSTILE, span: { start: 0, end: 30 } },
      entry: { seq: 1, actor: HOSTILE, phase: HOSTILE, surface: HOSTILE, flow: 'in' as const },
    },
  ],
}
const hostileTrial = trial(1, {
  reasons: [HOSTILE],
  answer: HOSTILE,
  printed: HOSTILE,
  exit_code: 3,
  verdict: hostileVerdict,
  actors: [
    {
      name: HOSTILE,
      mode: HOSTILE,
      status: 'serving',
      address: HOSTILE,
      error: HOSTILE,
      phases: [
        { phase: HOSTILE, elapsed_ms: 0, reason: 'start' },
        { phase: `${HOSTILE}2`, elapsed_ms: 11, reason: 'event_matched' },
      ],
    },
  ],
  diagnostics: [{ severity: 'error', code: HOSTILE, spec_ref: '', message: HOSTILE, path: HOSTILE, actor: HOSTILE }],
  wiring: [HOSTILE],
  approvals: [{ request: HOSTILE, approved: false }],
})
const hostileAttack = attack(
  'h',
  { file: HOSTILE, trials: [hostileTrial] },
  {
    id: HOSTILE,
    name: HOSTILE,
    description: HOSTILE,
    tags: [HOSTILE],
    protocols: [HOSTILE, 'mcp'],
    mappings: [{ framework: HOSTILE, id: HOSTILE, name: HOSTILE }],
    indicators: [{ id: HOSTILE, description: HOSTILE, surface: HOSTILE, target: HOSTILE, method: 'pattern' }],
  },
)
const hostileEntries = [1, 2].map((seq) =>
  entry(seq, {
    actor: HOSTILE,
    mode: HOSTILE,
    phase: HOSTILE,
    surface: HOSTILE,
    session: HOSTILE,
    malformed: HOSTILE,
    content: { [HOSTILE]: HOSTILE, list: [HOSTILE] },
  }),
)

inBrowser(
  'hostile content stays text',
  () => renderHtml(results([hostileAttack], HOSTILE), opening(hostileEntries)),
  async (page) => {
    const clean = async () => {
      expect(await page.evaluate('window.owned ?? null')).toBeNull()
      expect(
        await count(page, 'img, iframe, object, embed, link, main script, main style, svg[onload], [onerror]'),
      ).toBe(0)
      const shown = await page.evaluate<string>('document.body.innerText')
      for (const steering of '\u001b\u0000\u202e\u2066\u200b\u009b') expect(shown).not.toContain(steering)
      expect(shown).toContain('\\u202e')
      expect(shown).toContain('<script>window.owned = 1</script>')
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))`,
      )
      for (const link of links) expect(link).toMatch(/^#\//)
    }
    await clean()
    await page.click('tbody a')
    await page.until(`document.querySelectorAll('.row').length === 3`)
    await clean()
    await page.click('.open-message')
    await page.until(`!document.querySelector('.message').hidden`)
    expect(await text(page, '.message .json')).toContain('\\u001b[31m')
    await clean()
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('.json-string')).unicodeBidi`)).toBe(
      'isolate',
    )
  },
)

const MANY = 10_000
const many = () => {
  const list = Array.from({ length: MANY }, (_, place) =>
    entry(place + 1, { content: { name: `tool-${place}`, arguments: { text: `${place} `.repeat(60) } } }),
  )
  return renderHtml(results([attack('big')]), opening(list))
}

inBrowser('ten thousand messages', many, async (page) => {
  const first = await page.evaluate<number>(`performance.getEntriesByName('joust-shown')[0].startTime`)
  const opened = await page.evaluate<number>(`new Promise((done) => {
    const start = performance.now()
    location.hash = '#/0/0/0'
    const look = () => document.querySelector('#message-5') === null ? requestAnimationFrame(look) : done(performance.now() - start)
    look()
  })`)
  console.log(
    `report of ${MANY} messages: first view after ${Math.round(first)} ms, its sequence ${Math.round(opened)} ms after a click`,
  )
  expect(first).toBeLessThan(5000)
  expect(opened).toBeLessThan(5000)
  expect(await count(page, '.row')).toBeLessThan(100)
  await page.focus('.virtual')
  await page.press('End')
  await page.until(`document.querySelector('#message-${MANY - 1}') !== null`)
  expect(await count(page, '.row')).toBeLessThan(100)
  expect(await text(page, '.lane-phase.lane-band-1')).toBe('armed')
  await page.type('.sequence-tools input', 'tool-4242"')
  await page.until(`document.querySelectorAll('.row').length === 1`)
})
