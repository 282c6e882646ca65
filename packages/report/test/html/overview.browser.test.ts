/** The first page of the report in a real browser. */
import { expect } from 'vitest'
import { renderHtml } from '../../src/html/report.ts'
import { redacted } from '../results.ts'
import { browserTests, type Page } from './browser.ts'
import { attack, lost, messages, opening, resisted, results, several, trial } from './sample.ts'

const inBrowser = await browserTests()
const usual = () => renderHtml(several, opening(messages))
const two = () =>
  renderHtml([several, results(several.targets[0]?.attacks.slice(0, 1) ?? [], 'hardened')], opening(messages))

const names = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.attack-name')].map((link) => link.textContent)`)
const hash = (page: Page) => page.evaluate<string>('location.hash')
const top = (page: Page, selector: string) =>
  page.evaluate<number>(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`)

const done = { ...trial(1).verdict, indicator_verdicts: [] }
const all = results([
  attack('a', { trials: [trial(1, { task: done })] }),
  attack('b', { trials: [trial(1, { ...resisted, task: done })] }),
  attack('c', { trials: [trial(1, lost)] }),
  attack('d', { outcome: 'not_applicable', trials: [] }),
])

inBrowser(
  'the headline has a bar for each outcome, with counts and interval',
  () => renderHtml(all, opening(messages)),
  async (page) => {
    expect(await page.text('.run-head h2')).toBe('help-desk')
    expect(await page.text('.lead')).toBe('1 of 2 judged attacks succeeded')
    const figures = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.figure')].map((row) => row.textContent.replaceAll(/\\s+/g, ' ').trim())`,
    )
    expect(figures).toEqual([
      'Exploited1 of 2 judged attacks, 9–91 %',
      'Resisted1 of 2 judged attacks, 9–91 %',
      'Inconclusive1 of 4 attacks',
      'Not applicable1 of 4 attacks',
      'Task done2 of 2 runs, 34–100 %',
    ])
    expect(await page.text('.figures-key')).toBe('The line on a bar is its 95 % interval.')
    const bars = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.figure .interval-rate')].map((bar) => bar.getAttribute('width'))`,
    )
    expect(bars).toEqual(['100', '100', '50', '50', '200'])
    expect(await page.count('.figure .interval-range')).toBe(3)
    expect(await top(page, '.figures')).toBeLessThan(await top(page, '.filters'))
    await page.click('.figure-inconclusive a')
    expect(await names(page)).toEqual(['Attack c'])
  },
)

inBrowser(
  'the headline of one attack explains no interval',
  () => renderHtml(results([attack('a')]), opening(messages)),
  async (page) => {
    expect(await page.count('.figure .interval-rate')).toBeGreaterThan(0)
    expect(await page.count('.figure .interval-range, .figures-key')).toBe(0)
    expect(await page.evaluate<string>(`document.querySelector('.figures').ariaLabel`)).toBe('Outcomes')
  },
)

inBrowser(
  'the headline fills the first screen on a phone',
  () => renderHtml(all, opening(messages)),
  async (page) => {
    const bottom = await page.evaluate<number>(`document.querySelector('.figures').getBoundingClientRect().bottom`)
    expect(bottom).toBeLessThan(500)
    expect(await top(page, '.filters')).toBeGreaterThan(bottom)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
    const beyond = `[...document.querySelectorAll('.figure-count')].filter((one) => one.getBoundingClientRect().right > innerWidth - 12).length`
    expect(await page.evaluate<number>(beyond)).toBe(0)
    // Wide enough for their longest first word, "Any category".
    const narrow = `[...document.querySelectorAll('.filters select')].filter((one) => one.offsetWidth < 150).length`
    expect(await page.evaluate<number>(narrow)).toBe(0)
  },
  { viewport: { width: 390, height: 844 } },
)

inBrowser('filters of the matrix are stored in the URL', usual, async (page) => {
  expect(await names(page)).toEqual(['Attack mixed', 'Attack loud', 'Attack quiet'])
  expect(await page.text('tbody tr:last-child .verdict')).toContain('Resisted')
  expect(await page.text('tbody tr:first-child .verdict')).toContain('2/3 · flaky')
  await page.click('[data-value=resisted]')
  expect(await names(page)).toEqual(['Attack quiet'])
  expect(await hash(page)).toBe('#/?outcomes=resisted')
  await page.reload()
  expect(await names(page)).toEqual(['Attack quiet'])
  await page.click('[data-value=resisted]')
  await page.click('[data-value=critical]')
  await page.click('[data-value=high]')
  expect(await names(page)).toEqual(['Attack mixed', 'Attack loud'])
  await page.type('input[type=search]', 'mail')
  await page.until(`document.querySelectorAll('.attack-name').length === 1`)
  expect(await names(page)).toEqual(['Attack loud'])
  await page.click('.attack-name')
  await page.click('.crumbs a')
  expect(await names(page)).toEqual(['Attack loud'])
  await page.click('.clear')
  await page.choose('[data-field=protocol]', 'a2a')
  await page.until(`document.querySelectorAll('.attack-name').length === 1`)
  expect(await page.text('.shown')).toContain('1 of 3 attacks')
  await page.type('input[type=search]', 'no such attack')
  await page.until("document.querySelector('.shown').innerText.startsWith('None of 3 attacks matches these filters')")
})

inBrowser('every column sorts in both directions', usual, async (page) => {
  const sort = async (column: string) => {
    await page.click(`.col-${column} button`)
    const way = await page.evaluate<string>(`document.querySelector('.col-${column}').getAttribute('aria-sort')`)
    return [way, ...(await names(page)).map((name) => name.replace('Attack ', ''))]
  }
  expect(await sort('name')).toEqual(['ascending', 'loud', 'mixed', 'quiet'])
  expect(await sort('name')).toEqual(['descending', 'quiet', 'mixed', 'loud'])
  expect(await sort('severity')).toEqual(['descending', 'mixed', 'loud', 'quiet'])
  expect(await sort('severity')).toEqual(['ascending', 'quiet', 'loud', 'mixed'])
  expect(await sort('target')).toEqual(['descending', 'mixed', 'loud', 'quiet'])
  expect(await sort('target')).toEqual(['ascending', 'quiet', 'loud', 'mixed'])
  expect(await hash(page)).toBe('#/?sort=-0')
})

inBrowser(
  'resisted attacks have the part that stopped them, in the headline, the matrix and a filter',
  () => {
    const by = (id: string, stopped_by: 'model' | 'harness') =>
      attack(id, { trials: [trial(1, resisted)], controls: { stopped_by } })
    return renderHtml(results([attack('loud'), by('b', 'model'), by('c', 'harness')]), opening(messages))
  },
  async (page) => {
    expect(await page.text('.stoppers')).toBe('Resisted attacks, stopped by: model 1, harness 1.')
    const cells = `[...document.querySelectorAll('tbody .col-stopper')].map((cell) => cell.innerText)`
    expect(await page.evaluate<string[]>(cells)).toEqual(['–', 'Model', 'Harness'])
    await page.click('.col-stopper button')
    expect(await page.evaluate<string[]>(cells)).toEqual(['Model', 'Harness', '–'])
    await page.choose('[data-field=stopper]', 'harness')
    expect(await names(page)).toEqual(['Attack c'])
  },
)

inBrowser(
  'columns sort on a phone',
  usual,
  async (page) => {
    await page.click('.col-severity button')
    await page.click('.col-severity button')
    expect(await names(page)).toEqual(['Attack quiet', 'Attack loud', 'Attack mixed'])
    await page.click('.col-target button')
    expect(await names(page)).toEqual(['Attack mixed', 'Attack loud', 'Attack quiet'])
  },
  { viewport: { width: 390, height: 844 } },
)

inBrowser(
  'long names do not widen the page, and unjudged trials have no rate',
  () => {
    const long = 'a_name_without_a_blank_'.repeat(20)
    const unknown = attack('c', { trials: [trial(1, lost), trial(2, lost)] }, { name: long, id: long })
    return renderHtml(
      [results([unknown], long), results([unknown], 'two words '.repeat(30)), results([unknown])],
      opening(messages),
    )
  },
  async (page) => {
    const frame = `document.querySelector('.matrix-frame')`
    expect(await page.evaluate<number>(`${frame}.scrollWidth - ${frame}.clientWidth`)).toBe(0)
    expect(await page.evaluate<number>(`document.querySelector('.matrix thead').offsetHeight`)).toBeLessThan(100)
    expect(await page.count('.verdict .number')).toBe(0)
    expect(await page.count('.verdict .square')).toBe(6)
    await page.click('.attack-name')
    const right = `document.querySelector('h1').getBoundingClientRect().right`
    expect(await page.evaluate<number>(right)).toBeLessThan(1440)
    expect(await page.evaluate<number>('document.querySelector("h1").scrollWidth')).toBeLessThan(1440)
  },
)

inBrowser('targets are side by side, with filters for each', two, async (page) => {
  const cells = (row: number) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('tbody tr')[${row}].querySelectorAll('.col-target')].map((cell) => cell.innerText.split('\\n')[0])`,
    )
  expect(await page.count('.run-head')).toBe(2)
  expect(await page.text('thead')).toContain('hardened')
  expect(await cells(1)).toEqual(['Exploited', 'not run'])
  expect(await cells(2)).toEqual(['Resisted', 'Resisted'])
  await page.choose('[data-field=target]', '1')
  await page.until(`document.querySelectorAll('.attack-name').length === 1`)
  expect(await names(page)).toEqual(['Attack quiet'])
  expect(await hash(page)).toBe('#/?target=1')
  await page.go('#/')
  await page.click('.run-head:nth-child(2) .figure-resisted a')
  expect(await hash(page)).toBe('#/?target=1&outcomes=resisted')
  expect(await names(page)).toEqual(['Attack quiet'])
})

inBrowser(
  'two targets of the same name are distinguishable',
  () => {
    const [target] = results([attack('a')]).targets
    const models = ['one', 'two'].map((model) => ({
      kind: 'agent' as const,
      name: 'desk',
      details: { model },
      attacks: target?.attacks ?? [],
    }))
    return renderHtml(redacted({ ...results([]), targets: models }), opening(messages))
  },
  async (page) => {
    const heads = `[...document.querySelectorAll('.run-head h2')].map((head) => head.textContent)`
    expect(await page.evaluate<string[]>(heads)).toEqual(['desk (one)', 'desk (two)'])
  },
)

inBrowser(
  'the adaptive attacker is shown separately from the fixed text',
  () => {
    const adapted = { parent: 'a', by: ['authority'] }
    const usage = { calls: 2, input_tokens: 900, output_tokens: 100 }
    const tries = [trial(1, { ...resisted, usage }), trial(1, { usage })].map((one, place) =>
      attack(`a${place}`, { trials: [one] }, { adapted }),
    )
    return renderHtml(results([attack('a', { trials: [trial(1, resisted)] }), ...tries]), opening(messages))
  },
  async (page) => {
    expect(await page.text('.adaptive')).toBe(
      'Adaptive attacker: 0 of 1 attack succeeded as written, 1 with rewriting (2 tries, 2,000 tokens).',
    )
    await page.go('#/help-desk/a/1')
    expect(await page.text('.why')).toContain(
      'Rewriting succeeded on try 2 of 2 (authority); all tries used 2,000 tokens.',
    )
  },
)

const MANY = 10_000

inBrowser(
  'ten thousand attacks',
  () => {
    const about = (place: number) => ({
      severity: place % 2 === 0 ? ('high' as const) : ('low' as const),
      tags: [`tag-${place % 7}`],
      description: `The tool ${place} orders a transfer. `.repeat(5),
    })
    const attacks = Array.from({ length: MANY }, (_, place) => attack(`case-${place}`, {}, about(place)))
    return renderHtml(results(attacks), opening(messages.slice(0, 2)))
  },
  async (page) => {
    const first = await page.evaluate<number>(`performance.getEntriesByName('joust-shown')[0].startTime`)
    /** The longest pause of the page while it is used. */
    const pause = async (work: () => Promise<void>) => {
      await page.evaluate(`window.pause = 0; window.seen = performance.now(); window.look = () => {
        const now = performance.now(); pause = Math.max(pause, now - seen); seen = now; window.timer = requestAnimationFrame(look)
      }; look()`)
      await work()
      return page.evaluate<number>(`cancelAnimationFrame(timer), pause`)
    }
    const searched = await pause(async () => {
      await page.type('input[type=search]', 'tool 4242 ')
      await page.until(`document.querySelectorAll('.attack-name').length === 1`)
    })
    const filtered = await pause(async () => {
      await page.type('input[type=search]', '')
      await page.click('.toggles[aria-label=Severity] button')
      await page.until(
        `document.querySelector('.shown').textContent.includes('5,000 of') || document.querySelector('.shown').textContent.includes('5000 of')`,
      )
    })
    console.log(
      `report of ${MANY} attacks: first view after ${Math.round(first)} ms; longest pause of a search ${Math.round(searched)} ms, of a filter ${Math.round(filtered)} ms`,
    )
    expect(Math.max(searched, filtered)).toBeLessThan(2000)
  },
)
