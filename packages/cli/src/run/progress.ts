/** What runs are doing: a live line each on a terminal, a plain line per result elsewhere. */
import { noOutcomes, type RunEvent, type Trial } from '@joust/arena'
import { cut, printable } from '@joust/source'
import { type Colours, coloursFor } from '../render/colours.ts'
import { outcomeText, reasonLines } from '../render/outcome-text.ts'
import { progressLine } from '../render/progress-line.ts'
import type { Io } from '../terminal/io.ts'

/** Hears of runs. */
interface Progress {
  event(run: ProgressRun, event: SuiteEvent): void
  finished(run: ProgressRun, trial: Trial, resumed: boolean): void
  /** Takes the live lines away. */
  end(): void
}

/** Which run something is about. */
interface ProgressRun {
  readonly file: string
  readonly trial: number
  /** The name of the attack. */
  readonly name: string
}

type SuiteEvent = RunEvent | { readonly kind: 'run-started' }

interface Live {
  readonly name: string
  readonly since: number
  phase: string
  last: string
}

/** At most this often a second the live lines are drawn. */
const EVERY_MS = 100
const SILENT: Progress = { event() {}, finished() {}, end() {} }

/** Progress on stderr; `total` is how many results are to come, `hide` takes secrets out of addresses. */
export function createProgress(io: Io, total: number, quiet: boolean, hide = (text: string) => text): Progress {
  if (quiet) return SILENT
  const colours = coloursFor(io, 'stderr')
  const width = String(total).length
  const outcomes = noOutcomes()
  const begun = Date.now()
  let done = 0
  let made = 0
  /** The last of the live lines: all runs together. */
  const summary = () =>
    progressLine({ runs: total, open: total - done, outcomes }, { done: made, ms: Date.now() - begun })
  const line = (name: string, run: Trial, resumed: boolean) => {
    done += 1
    if (!resumed) made += 1
    outcomes[run.outcome] += 1
    const count = `${String(done).padStart(width)}/${total}`
    const again = run.retries === undefined ? '' : `, made again ${run.retries} times`
    const took = resumed ? 'from earlier results' : `${seconds(run.duration_ms)}${again}`
    const said = `${colours.dim(count)} ${outcomeText(run.outcome, colours)} ${printable(name)} ${colours.dim(took)}`
    return `${[said, ...reasonLines(run, colours)].join('\n')}\n`
  }
  const wiring = (event: SuiteEvent) => wiringLines(event, hide, colours)
  if (io.stderr.isTTY) return createLive(io, colours, line, summary, wiring)
  return {
    ...SILENT,
    event: (_, event) => io.stderr.write(wiring(event)),
    finished: ({ name }, trial, resumed) => io.stderr.write(line(name, trial, resumed)),
  }
}

/** An actor that listens on its own account: with a target, the wiring says it better. */
function readyLines({ actor, address, alone }: RunEvent & { readonly kind: 'actor-ready' }): readonly string[] {
  return alone && address !== undefined ? [`actor ${actor} listens at ${address}`] : []
}

/** Who is connected to whom, before the attack begins; the same as in the results. */
function wiringLines(event: SuiteEvent, hide: (text: string) => string, colours: Colours): string {
  const lines = event.kind === 'target-started' ? event.wiring : event.kind === 'actor-ready' ? readyLines(event) : []
  return lines.map((line) => `${colours.dim(`    ${printable(hide(line))}`)}\n`).join('')
}

/** Live lines below the finished ones. They are drawn over by moving up, so nothing scrolls away. */
function createLive(
  io: Io,
  colours: Colours,
  line: (name: string, run: Trial, resumed: boolean) => string,
  summary: () => string,
  wiringOf: (event: SuiteEvent) => string,
): Progress {
  const live = new Map<string, Live>()
  let drawn = 0
  let last = 0
  const clear = () => {
    if (drawn > 0) io.stderr.write(`\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }
  const draw = (force: boolean) => {
    const now = Date.now()
    if (!force && now - last < EVERY_MS) return
    last = now
    clear()
    for (const { name, since, phase, last: message } of live.values()) {
      const text = `  ${name} · ${phase} · ${message} · ${seconds(now - since)}`
      io.stderr.write(`${colours.dim(cut(printable(text), 110))}\n`)
      drawn += 1
    }
    if (live.size === 0) return
    io.stderr.write(`${colours.dim(`  ${summary()}`)}\n`)
    drawn += 1
  }
  return {
    event(run, event) {
      if (event.kind === 'run-started')
        live.set(keyOf(run), { name: run.name, since: Date.now(), phase: 'starting', last: 'no message yet' })
      const of = live.get(keyOf(run))
      if (of === undefined) return
      const wiring = wiringOf(event)
      if (wiring !== '') {
        clear()
        io.stderr.write(wiring)
      }
      if (event.kind === 'phase-entered') of.phase = `${event.actor}/${event.phase}`
      else if (event.kind === 'message-recorded') of.last = `${event.entry.flow} ${event.entry.surface || 'garbage'}`
      else if (event.kind === 'grace-started') of.phase = 'grace period'
      draw(false)
    },
    finished(run, trial, resumed) {
      live.delete(keyOf(run))
      clear()
      io.stderr.write(line(run.name, trial, resumed))
      draw(true)
    },
    end: clear,
  }
}

function keyOf({ file, trial }: ProgressRun): string {
  return JSON.stringify([file, trial])
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
