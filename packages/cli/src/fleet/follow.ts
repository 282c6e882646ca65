/** A campaign while it goes on: a live line on a terminal, elsewhere a line when something has changed. */
import type { CampaignStatus, Fleet, LeftTarget } from '@joust/fleet'
import { printable } from '@joust/source'
import { coloursFor } from '../render/colours.ts'
import { progressLine } from '../render/progress-line.ts'
import { count } from '../run/count.ts'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Waits until a campaign is over, or the signal fires. Its last status; undefined when it was deleted. */
export async function followCampaign(
  fleet: Fleet,
  name: string,
  { signal, quiet }: { readonly signal: AbortSignal; readonly quiet: boolean },
  io: Io,
): Promise<CampaignStatus | undefined> {
  const line = createLine(quiet, io)
  const begun = Date.now()
  let before: number | undefined
  for (;;) {
    const status = await fleet.status(name)
    if (status === undefined) return undefined
    const finished = status.runs - status.open
    before ??= finished
    const over = isOver(status)
    const rate = { done: finished - before, ms: Date.now() - begun }
    line.show(`${progressLine(status, rate)}${over ? '' : idleText(status)}`, over)
    if (over || signal.aborted) {
      line.end()
      return status
    }
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, commandLimits.followMs)
      signal.addEventListener('abort', end)
    })
  }
}

/** Why nothing goes on, if so. */
function idleText({ running, targets }: CampaignStatus): string {
  if (running > 0 || targets.some(({ opening }) => opening)) return ''
  const [left] = targets.flatMap((target) => target.left ?? [])
  const why = left === undefined ? 'joust worker --queue … takes them' : leftText(left)
  return ` · no worker has a run: ${printable(why)}`
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

function createLine(quiet: boolean, io: Io) {
  if (quiet) return { show() {}, end() {} }
  const { dim } = coloursFor(io, 'stderr')
  let last = ''
  let at = 0
  if (!io.stderr.isTTY) {
    return {
      show(text: string, force: boolean) {
        if (text === last || (!force && Date.now() - at < commandLimits.followLineMs)) return
        last = text
        at = Date.now()
        io.stderr.write(`joust: ${text}\n`)
      },
      end() {},
    }
  }
  return {
    show(text: string) {
      io.stderr.write(`\r\x1b[2K${dim(text.slice(0, 150))}`)
    },
    end: () => io.stderr.write('\n'),
  }
}
