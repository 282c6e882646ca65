/** The work until a report can be used, for suites of ten and of a thousand attacks with short traces. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { renderHtml } from '../../src/html/report.ts'
import { startBrowser } from './browser.ts'
import { attack, lost, messages, opening, resisted, results, trial } from './sample.ts'

const browser = await startBrowser()
if (typeof browser === 'string') console.warn(`\nSKIPPED: the time to load a report was not measured: ${browser}\n`)

const outcomes = [{}, resisted, lost, resisted]
const severities = ['critical', 'high', 'medium', 'low'] as const
const suite = (count: number) => {
  const attacks = Array.from({ length: count }, (_, place) =>
    attack(
      `case-${place}`,
      { trials: [trial(1, outcomes[place % 4] ?? {})] },
      {
        severity: severities[place % 4] ?? 'low',
        tags: place === 7 ? ['only'] : [],
        description: `The tool ${place} orders a transfer. `.repeat(5),
      },
    ),
  )
  return renderHtml(results(attacks), opening(messages.slice(0, 2)))
}

/** Loads of each page; the median counts. */
const LOADS = 9
const BOUND = 1.5

/** Processor time of the page's main thread until its first view, in milliseconds; unlike the time of a clock, it hardly depends on other processes. */
async function workOf(address: string): Promise<number> {
  if (typeof browser === 'string') throw new Error(browser)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    // What follows the first view waits for a frame that never comes.
    await page.addInitScript({ content: 'window.requestAnimationFrame = () => 0' })
    const tools = await page.context().newCDPSession(page)
    await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(address)
    await page.evaluate(`new Promise((done) => {
      const look = () => performance.getEntriesByName('joust-shown').length > 0 ? done() : setTimeout(look, 5)
      look()
    })`)
    // The filters of the first view already work.
    expect(await page.evaluate(`document.querySelectorAll('.attack-name').length`)).toBeGreaterThanOrEqual(10)
    const { metrics } = await tools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1000
  } finally {
    await page.close()
  }
}

test.skipIf(typeof browser === 'string')(
  'the first view of a thousand attacks with two messages each takes at most 1.5 times the work of ten',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joust-load-'))
    onTestFinished(async () => {
      rmSync(folder, { recursive: true, force: true })
      if (typeof browser !== 'string') await browser.close()
    })
    const medians: number[] = []
    for (const count of [10, 1000]) {
      const file = join(folder, `${count}.html`)
      writeFileSync(file, await suite(count))
      const works: number[] = []
      for (let number = 0; number < LOADS; number++) works.push(await workOf(pathToFileURL(file).href))
      medians.push(works.sort((one, other) => one - other)[Math.floor(LOADS / 2)] ?? 0)
    }
    const [small = 0, large = 0] = medians
    console.log(`first view of 10 and 1,000 attacks: ${Math.round(small)} and ${Math.round(large)} ms of work`)
    expect(small).toBeGreaterThan(0)
    expect(large / small).toBeLessThanOrEqual(BOUND)
  },
  180_000,
)
