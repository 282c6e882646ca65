import { ok } from '@joust/source'
import type { CampaignInfo, CampaignWork } from '@joust/studio'
import { expect } from 'vitest'
import { press, studioTests } from './pages.ts'

const studioTest = await studioTests()

/** A queue whose only worker makes a run each time somebody looks at the list. */
function slowQueue(): CampaignWork {
  let info: CampaignInfo | undefined
  return {
    place: 'db.example/joust',
    async list() {
      if (info === undefined) return []
      const open = info.state === 'open' ? Math.max(1, info.open - 1) : info.open
      const exploited = info.runs - open
      info = { ...info, open, running: 1, outcomes: { exploited }, calls: 1200 * exploited }
      return [info]
    },
    runs: async () => [
      { target: 'model clerk', file: '<b>a.oatf.yaml', trial: 1, outcome: 'resisted' },
      { target: 'model clerk', file: '<b>a.oatf.yaml', trial: 2, outcome: 'exploited' },
    ],
    async submit({ trials = 1 }) {
      info = {
        name: 'night <b>shift',
        created: '2026-01-02T00:00:00.000Z',
        state: 'open',
        targets: ['model clerk'],
        trials,
        runs: 4,
        open: 4,
        running: 0,
        outcomes: {},
        calls: 0,
        tokens: 0,
      }
      return ok(info.name)
    },
    async cancel() {
      if (info !== undefined) info = { ...info, state: 'cancelled', stopped: 'the campaign was cancelled' }
      return true
    },
    write: async () => ok(undefined),
  }
}

studioTest(
  'a campaign is submitted, watched as results come, and cancelled',
  {},
  async (page, shoot) => {
    await page.until("document.querySelector('.campaigns')?.innerText.includes('None yet') === true")
    expect(await page.axe()).toEqual([])
    await page.choose('.start select', 'workers')
    await press(page, 'button', 'Run 1')
    await page.until("document.querySelector('.campaigns li a') !== null")
    await page.click('.campaigns li a')
    await page.until("document.querySelector('h1')?.innerText === 'Campaign night <b>shift'")
    await page.until("document.querySelector('.live-matrix td')?.innerText.includes('Exploited') === true")
    // The worst of its trials is the one that is opened.
    expect(await page.evaluate("document.querySelector('.live-matrix td a').hash")).toMatch(/^#\/see\/.*&trial=2$/)
    await page.until("/[23] of 4 runs/.test(document.querySelector('.suite-line').innerText)")
    expect(await page.text('.spent')).toMatch(/^[1-9],?\d* model calls/)
    expect(await page.count('main b b, .live-matrix b')).toBe(await page.count('.live-matrix td b'))
    expect(await page.axe()).toEqual([])
    await shoot('campaign')
    await press(page, 'button', 'Cancel')
    await page.until("document.querySelector('main').innerText.includes('the campaign was cancelled')")
    // Its results stand among the others.
    await page.press('Alt+3')
    await page.until("document.querySelector('.run-list')?.innerText.includes('model clerk') === true")
  },
  {
    work: {
      campaigns: slowQueue(),
      project: async () => ({
        path: 'joust.yaml',
        queue: 'db.example/joust',
        attacks: [{ file: 'a.oatf.yaml', name: 'One' }],
        targets: [{ name: 'clerk', kind: 'model' }],
        trials: 1,
      }),
    },
  },
)
