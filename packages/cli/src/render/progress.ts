/** What runs are doing: a live line each on a terminal, a plain line per result elsewhere. */
import { noOutcomes, type RunEvent, type Trial } from '@joust/arena'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { type Colours, coloursFor } from './colours.ts'
import { columnsOf, fit } from './fit.ts'
import { outcomeText, reasonLines, WIDEST_OUTCOME } from './outcome-text.ts'
import { progressLine } from './progress-line.ts'

/** Receives what happens in runs. */
interface Progress {
  event(run: ProgressRun, event: SuiteEvent): void
  finished(run: ProgressRun, trial: Trial, resumed: boolean): void
  /** Removes the live lines. */
  end(): void
}

interface ProgressRun {
  readonly file: string
  readonly trial: number
  /** The name of the attack. */
  readonly name: string
}

type SuiteEvent = RunEvent | { readonly kind: 'run-started' }

/** How much is reported: nothing, results as they come, or also the wiring and the course of each run. */
export type Loudness = 'quiet' | 'normal' | 'verbose'

interface Live {
  readonly name: string
  readonly since: number
  phase: string
  last: string
}

/** The live lines are drawn when something happens, though not more often than this… */
const EVERY_MS = 100
/** …and when nothing does, so that the time of an agent that thinks goes on. */
const AT_LEAST_EVERY_MS = 1000
const SILENT: Progress = { event() {}, finished() {}, end() {} }

/** Progress on stderr; `total` is how many results to expect, `hide` takes secrets out of addresses. */
export function createProgress(io: Io, total: number, loudness: Loudness, hide = (text: string) => text): Progress {
  if (loudness === 'quiet') return SILENT
  const colours = coloursFor(io, 'stderr')
  const outcomes = noOutcomes()
  const begun = Date.now()
  let done = 0
  let made = 0
  let why = ''
  /** The last of the live lines: all runs together. */
  const summary = (columns: number) =>
    progressLine({ runs: total, open: total - done, outcomes }, { done: made, ms: Date.now() - begun }, columns)
  const line = (name: string, run: Trial, resumed: boolean) => {
    done += 1
    if (!resumed) made += 1
    outcomes[run.outcome] += 1
    const head = `${String(done).padStart(String(total).length)}/${total}`
    const said = finishedLine(head, name, run, resumed, colours, io.stderr.columns)
    // A reason that many runs share is reported once: a server that is down, for example.
    const reasons = reasonLines(run, colours, io.stderr.columns, 1).join('\n')
    const isNew = reasons !== why
    why = reasons
    return `${[said, ...(isNew && reasons !== '' ? [reasons] : [])].join('\n')}\n`
  }
  const story = (run: ProgressRun, event: SuiteEvent) => storyLines(run, event, loudness, hide, colours)
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return createLive(io, colours, line, summary, story)
  return {
    ...SILENT,
    event: (run, event) => io.stderr.write(story(run, event)),
    finished: ({ name }, trial, resumed) => io.stderr.write(line(name, trial, resumed)),
  }
}

/** `3/54 exploited  Night log with an order… 3.1 s`: the name is cut first. */
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
  const shown = fit(printable(name), Math.max(8, room))
  return `${colours.dim(head)} ${outcomeText(outcome, colours)} ${shown} ${colours.dim(took)}`
}

/**
 * Where an actor listens that nobody is sent to is always printed; in verbose mode, also the wiring and the course
 * through the phases.
 */
function storyLines(
  { name }: ProgressRun,
  event: SuiteEvent,
  loudness: Loudness,
  hide: (text: string) => string,
  colours: Colours,
): string {
  const isVerbose = loudness === 'verbose'
  const told = isVerbose ? wiringOf(event, name) : listeningOf(event)
  return told.map((line) => `${colours.dim(`    ${printable(hide(line))}`)}\n`).join('')
}

function wiringOf(event: SuiteEvent, name: string): readonly string[] {
  if (event.kind === 'target-started') return [name, ...event.wiring.map((line) => `  ${line}`)]
  if (event.kind === 'phase-entered') return [`${name}: ${event.actor} enters ${event.phase}`]
  return listeningOf(event)
}

/** An actor that listens for whoever connects: with a target, the wiring says it better. */
function listeningOf(event: SuiteEvent): readonly string[] {
  if (event.kind !== 'actor-ready') return []
  const { actor, address, alone } = event
  return alone && address !== undefined ? [`actor ${actor} listens at ${address}`] : []
}

/**
 * Live lines below the finished ones. They are drawn over by moving up, so none may be longer than the terminal is
 * wide, and there may not be more of them than it shows.
 */
function createLive(
  io: Io,
  colours: Colours,
  line: (name: string, run: Trial, resumed: boolean) => string,
  summary: (columns: number) => string,
  storyOf: (run: ProgressRun, event: SuiteEvent) => string,
): Progress {
  const live = new Map<string, Live>()
  let drawn = 0
  let last = 0
  const clear = () => {
    // From the first column, wherever what somebody types has moved the cursor.
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
    // The last column stays free: some terminals wrap when it is filled.
    const columns = (io.stderr.columns ?? WIDEST_LIVE) - 1
    // Below them are the line of all runs and that of the cursor.
    const room = (io.stderr.rows ?? Number.POSITIVE_INFINITY) - 2
    const shown = [...live.values()].slice(0, live.size > room ? Math.max(0, room - 1) : live.size)
    for (const one of shown) put(liveLine(one, now, columns))
    if (shown.length < live.size) put(`  and ${live.size - shown.length} more`)
    if (live.size > 0) put(`  ${summary(columns - 2)}`)
  }
  const ticking = setInterval(() => draw(false), AT_LEAST_EVERY_MS).unref()
  return {
    event(run, event) {
      if (event.kind === 'run-started')
        live.set(keyOf(run), { name: run.name, since: Date.now(), phase: 'starting', last: 'no message yet' })
      const of = live.get(keyOf(run))
      if (of === undefined) return
      const story = storyOf(run, event)
      if (story !== '') {
        clear()
        io.stderr.write(story)
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
    end() {
      clearInterval(ticking)
      clear()
    },
  }
}

const WIDEST_LIVE = 110
const FEWEST_OF_NAME = 20

/** Name, phase, last message and time; the name is cut first, then what is in the middle. */
function liveLine({ name, since, phase, last }: Live, now: number, columns: number): string {
  const time = ` · ${seconds(now - since)}`
  const middle = printable(` · ${phase} · ${last}`)
  const shown = fit(middle, Math.max(0, columns - 2 - columnsOf(time) - Math.min(FEWEST_OF_NAME, columnsOf(name))))
  return `  ${fit(printable(name), columns - 2 - columnsOf(shown) - columnsOf(time))}${shown}${time}`
}

function keyOf({ file, trial }: ProgressRun): string {
  return JSON.stringify([file, trial])
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
