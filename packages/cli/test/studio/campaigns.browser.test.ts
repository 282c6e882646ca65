import { once } from 'node:events'
import type { Target } from '@joust/arena'
import { type Fleet, openFleet } from '@joust/fleet'
import { knownShapes, type Redacted, type TraceEntry } from '@joust/results'
import { ok } from '@joust/source'
import type { CampaignInfo, CampaignWork, ProjectInfo } from '@joust/studio'
import { lostTrial } from '@joust/trials'
import { expect } from 'vitest'
import { echoServer, loadedAttack } from '../../../arena/test/support/attacks.ts'
import { campaignOf } from '../../../fleet/test/participants.ts'
import { withPostgres } from '../../../fleet/test/server.ts'
import { campaignWork } from '../../src/studio/campaigns.ts'
import { press, studioTests } from './pages.ts'

const studioTest = await studioTests()

function entry(seq: number): Redacted<TraceEntry> {
  const at = { at: '2026-01-02T00:00:00.000Z', elapsed_ms: seq, phase: 'p', direction: 'request', flow: 'in' } as const
  const actor = { actor: 'server', mode: 'mcp_server', protocol: 'mcp', surface: `tools/<i>${seq}` }
  // There is no secret in it.
  return { seq, ...at, ...actor, content: {} } as TraceEntry as Redacted<TraceEntry>
}

/** A queue whose only worker does a run each time the list is read. */
function slowQueue(): CampaignWork {
  let info: CampaignInfo | undefined
  return {
    place: 'db.example/joust',
    async list() {
      if (info === undefined) return []
      const open = info.state === 'open' ? Math.max(1, info.open - 1) : info.open
      const exploited = info.runs - open
      // The status is read before a worker takes the run that the list of runs has.
      info = { ...info, open, running: 0, outcomes: { exploited }, calls: 1200 * exploited }
      return [info]
    },
    runs: async () => [
      { target: 'model clerk', file: 'b.oatf.yaml', trial: 1 },
      { target: 'model clerk', file: '<b>a.oatf.yaml', trial: 1, outcome: 'resisted' },
      { target: 'model clerk', file: '<b>a.oatf.yaml', trial: 2, outcome: 'exploited' },
    ],
    async submit({ trials = 1 }) {
      info = {
        name: 'night <b>shift',
        created: '2026-01-02T00:00:00.000Z',
        state: 'open',
        targets: ['model clerk'],
        trials: typeof trials === 'number' ? trials : 25,
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
    async watch(_, { trial }, { attempt, part }) {
      if (part < 3) return { attempt: 'first', part: part + 1, entries: [entry(part + 1)], isRunning: true }
      // The worker was lost, and another does the run again, to its end.
      if (attempt === 'first') return { attempt: 'second', part: 4, entries: [entry(1)], isRunning: true }
      const done = lostTrial(trial, 'two workers')
      return { attempt: 'recorded', part: 0, entries: [entry(1), entry(2)], isRunning: false, trial: done }
    },
  }
}

studioTest(
  'a campaign is submitted, watched as results come, and cancelled',
  {},
  async (page, shoot) => {
    await page.until("document.querySelector('.campaigns')?.innerText.includes('No campaigns yet') === true")
    expect(await page.axe()).toEqual([])
    await page.choose('.start select', 'workers')
    await press(page, 'button', 'Start 1')
    await page.until("document.querySelector('.campaigns li a') !== null")
    await page.click('.campaigns li a')
    await page.until("document.querySelector('h1')?.innerText === 'Campaign night <b>shift'")
    await page.until("document.querySelector('.live-matrix td')?.innerText.includes('Exploited') === true")
    expect(await page.text('main')).not.toContain('No worker is running')
    // The link opens the worst of its trials.
    expect(await page.evaluate("document.querySelector('.live-matrix td a').hash")).toMatch(/^#\/see\/.*&trial=2$/)
    await page.until("/[23] of 4 runs/.test(document.querySelector('.suite-line').innerText)")
    expect(await page.text('.spent')).toMatch(/^[1-9],?\d* model calls/)
    expect(await page.count('main b b, .live-matrix b')).toBe(await page.count('.live-matrix td b'))
    expect(await page.axe()).toEqual([])
    await shoot('campaign')
    // A run grows while a worker does it, starts over with the next worker, and ends with its outcome.
    await page.focus('.live-frame')
    await page.press('ArrowDown', 'ArrowDown', 'Enter')
    await page.until("document.querySelector('.running')?.innerText === 'running'")
    for (const count of [1, 2, 3, 1])
      await page.until(`document.querySelectorAll('.sequence .row-message').length === ${count}`)
    expect(await page.axe()).toEqual([])
    await page.until("document.querySelector('.attack-title').innerText.includes('two workers')")
    expect(await page.count('.sequence .row-message')).toBe(2)
    await shoot('campaign-run')
    expect(await page.evaluate("document.querySelector('.attack-title a.button').hash")).toMatch(/^#\/see\/queue/)
    await press(page, '.crumbs a', 'Campaign night')
    await press(page, 'button', 'Cancel')
    await page.until("document.querySelector('main').innerText.includes('the campaign was cancelled')")
    // Its results are among the others.
    await page.press('Alt+3')
    await page.until("document.querySelector('.run-list')?.innerText.includes('model clerk') === true")
  },
  {
    work: async () => ({ campaigns: slowQueue(), project }),
  },
)

withPostgres('a run of a real queue', (server) => {
  const told = new AbortController()
  let fleet: Fleet | undefined
  studioTest(
    'grows in the page while a worker makes it',
    {},
    async (page) => {
      // The agent lists tools, and calls one when it is told to.
      const turn = async (address: string) => {
        await post(address, 'tools/list', {})
        await once(told.signal, 'abort')
        await post(address, 'tools/call', { name: 'echo', arguments: { text: 'x' } })
      }
      const target: Target = {
        name: 'held',
        start: async ({ servers }) => ({
          endpoints: {},
          turn: () => turn(servers[0]?.address ?? ''),
          stop: async () => {},
        }),
      }
      const stop = new AbortController()
      const prepare = async () => ({ ok: true, value: { redactor: knownShapes(), run: () => ({ target }) } }) as const
      const work = async () => {
        for await (const worked of fleet?.work({ name: 'w', concurrency: 1, signal: stop.signal, prepare }) ?? [])
          return worked.trial.outcome
        return undefined
      }
      const working = work()
      try {
        await page.until("document.querySelector('.start select') !== null")
        await page.choose('.start select', 'workers')
        await press(page, 'button', 'Start 1')
        await page.click('.campaigns li a')
        await press(page, '.live-matrix a', 'running')
        const messages = "[...document.querySelectorAll('.sequence .row-message')].map((row) => row.innerText).join()"
        await page.until(`${messages}.includes('tools/list')`)
        expect(await page.evaluate(messages)).not.toContain('tools/call')
        expect(await page.text('.attack-title .running')).toBe('running')
        told.abort()
        await page.until(`${messages}.includes('tools/call')`)
        await page.until("document.querySelector('.attack-title').innerText.includes('Exploited')")
        expect(await working).toBe('exploited')
      } finally {
        told.abort()
        stop.abort()
        await working
        await fleet?.close()
      }
    },
    {
      work: async () => {
        fleet = await openFleet(server().database('page'))
        const { fingerprint, text } = loadedAttack(echoServer('x'))
        const spec = { ...campaignOf([], 1), attacks: [{ file: 'a', fingerprint, text, severity: 'high' }] }
        return { campaigns: campaignWork({ fleet, place: 'here', specOf: async () => ok(spec) }), project }
      },
    },
  )
})

async function post(address: string, method: string, params: object): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  await (await fetch(address, { method: 'POST', headers, body })).text()
}

async function project(): Promise<ProjectInfo> {
  return {
    path: 'joust.yaml',
    queue: 'db.example/joust',
    attacks: [{ file: 'a.oatf.yaml', name: 'One' }],
    targets: [{ name: 'clerk', kind: 'model' }],
    trials: 1,
  }
}
