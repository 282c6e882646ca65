/** Shows the progress of runs: live lines on a terminal, otherwise a plain line per result. */

import type { RunEvent } from '@joust/arena'
import type { Trial } from '@joust/results'
import { printable, splitBlock } from '@joust/source'
import { noOutcomes, type RunKey } from '@joust/trials'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import type { Io } from '../terminal/io.ts'
import { columnsOf, fit, fitWords } from './fit.ts'
import { outcomeText, reasonLines, WIDEST_OUTCOME } from './outcome-text.ts'
import { progressLine } from './progress-line.ts'

interface Progress {
  event(run: ProgressRun, event: SuiteEvent): void
  finished(run: ProgressRun, trial: Trial, resumed: boolean): void
  end(): void
}

interface ProgressRun extends Pick<RunKey, 'file' | 'arm' | 'trial'> {
  /** Name of the attack. */
  readonly name: string
}

type SuiteEvent = RunEvent | { readonly type: 'run-started' }

/** `normal` shows results as they arrive, `verbose` also the connections and phases of each run. */
export type Verbosity = 'quiet' | 'normal' | 'verbose'

interface Live {
  readonly name: string
  readonly since: number
  phase: string
  last: string
}

/** Minimum interval in milliseconds between two updates of the live lines. */
const EVERY_MS = 100
/** Interval in milliseconds between updates without an event, which keep the elapsed time current. */
const AT_LEAST_EVERY_MS = 1000
const SILENT: Progress = { event() {}, finished() {}, end() {} }

/** Shows progress on stderr. `planned` is the number of results expected at first; `hide` removes secrets. */
export function createProgress(io: Io, planned: number, loudness: Verbosity, hide = (text: string) => text): Progress {
  if (loudness === 'quiet') return SILENT
  const colours = coloursFor(io, 'stderr')
  const outcomes = noOutcomes()
  const begun = Date.now()
  let total = planned
  let started = 0
  let done = 0
  let finished = 0
  let why = ''
  // Results may require more runs than were planned at first.
  const grow = ({ type }: SuiteEvent) => {
    if (type === 'run-started') started += 1
    total = Math.max(total, done - finished + started)
  }
  const summary = (columns: number) =>
    progressLine({ runs: total, open: total - done, outcomes }, { done: finished, ms: Date.now() - begun }, columns)
  const line = ({ name, arm }: ProgressRun, run: Trial, resumed: boolean) => {
    done += 1
    total = Math.max(total, done)
    if (!resumed) finished += 1
    if (arm === 'attack') outcomes[run.outcome] += 1
    const head = `${String(done).padStart(String(total).length)}/${total}`
    const line = finishedLine(head, name, run, resumed, colours, io.stderr.columns)
    // Tracebacks are in the results. A reason shared by many runs, such as a server that is down, is reported once.
    const heads = run.reasons.map((reason) => splitBlock(reason)[0])
    const reasons = reasonLines({ reasons: heads }, colours, io.stderr.columns, { most: 1 }).join('\n')
    const isNew = reasons !== why
    why = reasons
    return `${[line, ...(isNew && reasons !== '' ? [reasons] : [])].join('\n')}\n`
  }
  const story = (run: ProgressRun, event: SuiteEvent) => {
    grow(event)
    return storyLines(run, event, loudness, hide, colours)
  }
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return createLive(io, colours, line, summary, story)
  return {
    ...SILENT,
    event: (run, event) => io.stderr.write(story(run, event)),
    finished: (run, trial, resumed) => io.stderr.write(line(run, trial, resumed)),
  }
}

function finishedLine(
  head: string,
  name: string,
  { outcome, retries, duration_ms }: Trial,
  resumed: boolean,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string {
  const again = retries === undefined ? '' : `, repeated ${retries} times`
  const took = resumed ? 'from earlier results' : `${seconds(duration_ms)}${again}`
  const room = columns - head.length - WIDEST_OUTCOME - columnsOf(took) - 3
  const title = fitWords(printable(name), Math.max(8, room))
  return `${colours.dim(head)} ${outcomeText(outcome, colours)} ${title} ${colours.dim(took)}`
}

/** Renders the address of an actor that waits for any client and, in verbose mode, connections and phases. */
function storyLines(
  { name }: ProgressRun,
  event: SuiteEvent,
  loudness: Verbosity,
  hide: (text: string) => string,
  colours: Colours,
): string {
  const isVerbose = loudness === 'verbose'
  const lines = isVerbose ? wiringOf(event, name) : listeningOf(event)
  return lines.map((line) => `${colours.dim(`    ${printable(hide(line))}`)}\n`).join('')
}

function wiringOf(event: SuiteEvent, name: string): readonly string[] {
  if (event.type === 'target-started') return [name, ...event.wiring.map((line) => `  ${line}`)]
  if (event.type === 'phase-entered') return [`${name}: ${event.actor} enters ${event.phase}`]
  return listeningOf(event)
}

/** Returns the address of an actor. Empty if there is a target, whose connections include it. */
function listeningOf(event: SuiteEvent): readonly string[] {
  if (event.type !== 'actor-ready') return []
  const { actor, address, alone } = event
  return alone && address !== undefined ? [`actor ${actor} listens at ${address}`] : []
}

/** Redraws lines by moving the cursor up, so no line may wrap and there may be no more lines than terminal rows. */
function createLive(
  io: Io,
  colours: Colours,
  line: (run: ProgressRun, trial: Trial, resumed: boolean) => string,
  summary: (columns: number) => string,
  storyOf: (run: ProgressRun, event: SuiteEvent) => string,
): Progress {
  const live = new Map<string, Live>()
  let drawn = 0
  let last = 0
  const clear = () => {
    // From the first column: typed characters may have moved the cursor.
    if (drawn > 0) io.stderr.write(`\r\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }
  const put = (text: string) => {
    io.stderr.write(`${colours.dim(text)}\n`)
    drawn += 1
  }
  const draw = (force: boolean) => {
    const now = Date.now()
    if (!force && now - last < EVERY_MS) return
    last = now
    clear()
    // The last column stays empty: some terminals wrap when it is filled.
    const columns = (io.stderr.columns ?? WIDEST_LIVE) - 1
    // Two rows are reserved: for the totals, and for the cursor.
    const room = (io.stderr.rows ?? Number.POSITIVE_INFINITY) - 2
    const visible = [...live.values()].slice(0, live.size > room ? Math.max(0, room - 1) : live.size)
    for (const one of visible) put(liveLine(one, now, columns))
    if (visible.length < live.size) put(`  and ${live.size - visible.length} more`)
    if (live.size > 0) put(`  ${summary(columns - 2)}`)
  }
  const ticking = setInterval(() => draw(false), AT_LEAST_EVERY_MS).unref()
  return {
    event(run, event) {
      if (event.type === 'run-started')
        live.set(keyOf(run), { name: run.name, since: Date.now(), phase: 'starting', last: 'no message yet' })
      const of = live.get(keyOf(run))
      if (of === undefined) return
      const story = storyOf(run, event)
      if (story !== '') {
        clear()
        io.stderr.write(story)
      }
      if (event.type === 'phase-entered') of.phase = `${event.actor}/${event.phase}`
      else if (event.type === 'message-recorded') of.last = `${event.entry.flow} ${event.entry.surface || 'garbage'}`
      else if (event.type === 'grace-started') of.phase = 'grace period'
      draw(false)
    },
    finished(run, trial, resumed) {
      live.delete(keyOf(run))
      clear()
      io.stderr.write(line(run, trial, resumed))
      draw(true)
    },
    end() {
      clearInterval(ticking)
      clear()
    },
  }
}

const WIDEST_LIVE = 110
const FEWEST_OF_NAME = 20

function liveLine({ name, since, phase, last }: Live, now: number, columns: number): string {
  const time = ` · ${seconds(now - since)}`
  const middle = printable(` · ${phase} · ${last}`)
  const details = fit(middle, Math.max(0, columns - 2 - columnsOf(time) - Math.min(FEWEST_OF_NAME, columnsOf(name))))
  return `  ${fitWords(printable(name), columns - 2 - columnsOf(details) - columnsOf(time))}${details}${time}`
}

function keyOf({ file, arm, trial }: ProgressRun): string {
  return JSON.stringify([file, arm, trial])
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
