/** What is shown of a campaign while it runs. */

import type { CampaignStatus, Fleet } from '@joust/fleet'
import { noOutcomes } from '@joust/trials'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followCampaign } from '../../src/fleet/follow.ts'
import { columnsOf } from '../../src/render/fit.ts'
import { type Io, tell } from '../../src/terminal/io.ts'
import { memoryIo } from '../world.ts'

const NEEDS = 'model openai/gpt-5: missing API key for openai (set OPENAI_API_KEY)'
const COUNTS = { ...noOutcomes(), exploited: 74, inconclusive: 3, not_applicable: 11 }
// Half a second apart, the first two without a worker.
const looks = [
  { open: 108, running: 0, targets: [{ name: 't', left: [{ reason: NEEDS, workers: ['host:4711'], told: '' }] }] },
  { open: 108, running: 0, targets: [{ name: 't', left: [{ reason: NEEDS, workers: ['host:4711'], told: '' }] }] },
  { open: 108, running: 4 },
  { open: 20, running: 4, outcomes: COUNTS },
  { open: 0, running: 0, outcomes: { ...COUNTS, resisted: 20 } },
]

const END = '108/108 · 72 runs/s · 74 exploited, 3 inconclusive, 20 resisted, 11 not_applicable'

/** A campaign that has moved on by one look each time. */
function campaign(onLook: (look: number) => void = () => {}): Fleet {
  let at = 0
  const status = async () => {
    onLook(at)
    // Only the fields that are read.
    return {
      runs: 108,
      outcomes: noOutcomes(),
      targets: [],
      state: 'open',
      ...looks[at++],
    } as unknown as CampaignStatus
  }
  // Nothing else is called.
  return { status } as unknown as Fleet
}

// The escape sequences that we write.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const plain = (text: string) => text.replaceAll(/\x1b\[[\d;]*[A-Za-z]/g, '')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Follows the campaign to its end. */
async function follow(fleet: Fleet, io: Io): Promise<void> {
  const following = followCampaign(fleet, 'n', { signal: new AbortController().signal, quiet: false }, io)
  await vi.advanceTimersByTimeAsync(500 * looks.length)
  await following
}

test('on a terminal of 60 columns a line that is drawn over never breaks, and a hint stays in full', async () => {
  const { io, stderr } = memoryIo({ isTTY: true, columns: 60 })
  await follow(
    campaign((look) => look === 3 && tell(io, 'the database is available again')),
    io,
  )
  const lines = stderr.join('').split('\n')
  // Each permanent line first erases the live one.
  const permanent = lines.map((line) => plain(line.slice(line.lastIndexOf('\r') + 1)))
  expect(permanent).toEqual([
    `joust: skipped by host:4711: ${NEEDS}`,
    'joust: the database is available again',
    END,
    '',
  ])
  const live = stderr.filter((text) => !/joust: |108\/108/.test(text)).map((text) => plain(text).replace('\r', ''))
  for (const line of live) expect(columnsOf(line), line).toBeLessThanOrEqual(59)
  expect(live.slice(0, 3)).toEqual(['0/108 · no run in progress', '0/108 · no run in progress', '0/108'])
  expect(live[3]).toBe('88/108 · 88/s · 1 s left · 74 exploited, 3 inconclusive, 1…')
})

test('without a terminal: full lines, always a last one, and a rate that excludes time without workers', async () => {
  const { io, stderr } = memoryIo()
  await follow(campaign(), io)
  expect(stderr).toEqual([`joust: 0/108 · no run in progress: skipped by host:4711: ${NEEDS}\n`, `joust: ${END}\n`])
})
