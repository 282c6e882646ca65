/** Follows a campaign: a live line on a terminal, otherwise one line per change. */
import type { CampaignStatus, Fleet, TargetRefusal } from '@joust/fleet'
import { pause, systemClock } from '@joust/io'
import { count, printable } from '@joust/source'
import { fit } from '../render/fit.ts'
import { progressLine } from '../render/progress-line.ts'
import { coloursFor } from '../terminal/colours.ts'
import { CLEAR_LINE, type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Waits until a campaign has finished or the signal is aborted. Returns the last status; undefined if deleted. */
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
    // The rate excludes the time before the first worker started.
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

function idleText({ running, targets }: CampaignStatus): { readonly idle?: string; readonly left?: string } {
  if (running > 0 || targets.some(({ inPreflight }) => inPreflight)) return {}
  const [left] = targets.flatMap((target) => target.left ?? [])
  const idle = 'no run in progress'
  return left === undefined ? { idle: `${idle}: start joust worker` } : { idle, left: printable(leftText(left)) }
}

export function leftText({ workers, reason }: TargetRefusal): string {
  const [first = ''] = workers
  return `skipped by ${workers.length === 1 ? first : count(workers.length, 'worker')}: ${reason}`
}

/** True if no more results will arrive. */
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

function createLiveLine(io: Io) {
  const { dim } = coloursFor(io, 'stderr')
  let printed = ''
  return {
    show(status: CampaignStatus, rate: Rate, over: boolean) {
      // The last column stays empty: some terminals wrap when it is filled.
      const columns = over ? Number.POSITIVE_INFINITY : (io.stderr.columns ?? WIDEST) - 1
      const { idle, left = '' } = over ? {} : idleText(status)
      // The reason is printed in full, once.
      if (left !== '' && left !== printed) tell(io, left)
      printed = left || printed
      const short = progressLine(status, rate, columns)
      const text = idle === undefined ? short : fit(`${progressLine(status, rate)} · ${idle}`, columns)
      io.stderr.write(`${CLEAR_LINE}${dim(text)}`)
    },
    end: () => io.stderr.write('\n'),
  }
}

const WIDEST = 110
