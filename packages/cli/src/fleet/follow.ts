/** A campaign while it is under way: a live line on a terminal, elsewhere a line when something has changed. */
import type { CampaignStatus, Fleet, LeftTarget } from '@joust/fleet'
import { pause, systemClock } from '@joust/io'
import { count, printable } from '@joust/source'
import { coloursFor } from '../render/colours.ts'
import { fit } from '../render/fit.ts'
import { progressLine } from '../render/progress-line.ts'
import { CLEARED, type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Waits until a campaign is over, or the signal fires. Returns its last status; undefined when it was deleted. */
export async function followCampaign(
  fleet: Fleet,
  name: string,
  { signal, quiet }: { readonly signal: AbortSignal; readonly quiet: boolean },
  io: Io,
): Promise<CampaignStatus | undefined> {
  const line = createLine(quiet, io)
  let begun = Date.now()
  let before: number | undefined
  for (;;) {
    const status = await fleet.status(name)
    if (status === undefined) return undefined
    const finished = status.runs - status.open
    before ??= finished
    // The time before the first worker came says nothing about their speed.
    if (finished === before && status.running === 0) begun = Date.now()
    const over = isOver(status)
    line.show(status, { done: finished - before, ms: Date.now() - begun }, over)
    if (over || signal.aborted) {
      line.end()
      return status
    }
    await pause(systemClock, commandLimits.followMs, signal)
  }
}

/** Why nothing is happening, if so: nobody is there, or whoever is there has left a target to others. */
function idleText({ running, targets }: CampaignStatus): { readonly idle?: string; readonly left?: string } {
  if (running > 0 || targets.some(({ controlling }) => controlling)) return {}
  const [left] = targets.flatMap((target) => target.left ?? [])
  const idle = 'no worker is running anything'
  return left === undefined ? { idle: `${idle}: start joust worker` } : { idle, left: printable(leftText(left)) }
}

/** Who has left a target to others, and why. */
export function leftText({ workers, reason }: LeftTarget): string {
  const [first = ''] = workers
  return `left by ${workers.length === 1 ? first : count(workers.length, 'worker')}: ${reason}`
}

/** Whether no more results will come. */
export function isOver({ state, open, running }: CampaignStatus): boolean {
  return open === 0 || (state !== 'open' && running === 0)
}

type Rate = Parameters<typeof progressLine>[1]

function createLine(quiet: boolean, io: Io) {
  if (quiet) return { show() {}, end() {} }
  return io.stderr.isTTY ? createLiveLine(io) : createPlainLines(io)
}

function createPlainLines(io: Io) {
  let last = ''
  let at = 0
  return {
    show(status: CampaignStatus, rate: Rate, over: boolean) {
      const { idle, left } = over ? {} : idleText(status)
      const why = [idle, left].filter(Boolean).join(': ')
      const text = [progressLine(status, rate), why].filter(Boolean).join(' · ')
      if (text === last || (!over && Date.now() - at < commandLimits.followLineMs)) return
      last = text
      at = Date.now()
      tell(io, text)
    },
    end() {},
  }
}

/** One line that is redrawn, so it must not be wider than the terminal; the last one stays, in full. */
function createLiveLine(io: Io) {
  const { dim } = coloursFor(io, 'stderr')
  let told = ''
  return {
    show(status: CampaignStatus, rate: Rate, over: boolean) {
      // The last column stays free: some terminals wrap when it is filled.
      const columns = over ? Number.POSITIVE_INFINITY : (io.stderr.columns ?? WIDEST) - 1
      const { idle, left = '' } = over ? {} : idleText(status)
      // What the user has to do about it is printed in full, and stays.
      if (left !== '' && left !== told) tell(io, left)
      told = left || told
      const short = progressLine(status, rate, columns)
      const text = idle === undefined ? short : fit(`${progressLine(status, rate)} · ${idle}`, columns)
      io.stderr.write(`${CLEARED}${dim(text)}`)
    },
    end: () => io.stderr.write('\n'),
  }
}

const WIDEST = 110
