/** `joust worker --queue URL`: runs jobs from the campaign queue. */
import { hostname } from 'node:os'
import type { Fleet } from '@joust/fleet'
import { count, printable } from '@joust/source'
import { withFleet } from '../fleet/open.ts'
import { prepareTarget } from '../fleet/prepare-target.ts'
import type { WorkerOptions } from '../options/fleet.ts'
import { outcomeText, reasonLines } from '../render/outcome-text.ts'
import { withArm } from '../render/plan-text.ts'
import { preflightText } from '../run/suite.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'

/** Runs jobs until Ctrl-C, or with `--drain` until the queue is empty. */
export async function worker(options: WorkerOptions, io: Io): Promise<number> {
  const { queue, concurrency, quiet } = options
  return withFleet(String(queue), io, (fleet) =>
    io.stoppable(async (signal) => {
      const say = (message: string) => quiet || tell(io, message)
      const name = options.name ?? `${hostname()}:${process.pid}`
      say(
        `worker ${name}, ${count(concurrency, 'concurrent run')}; press Ctrl-C to stop after the current runs, twice to leave them to other workers`,
      )
      signal.addEventListener('abort', () => say('finishing the current runs'))
      const { recorded, late } = await workThrough(fleet, name, options, signal, io)
      say(`${count(recorded, 'result')} recorded${late === 0 ? '' : `, ${late} too late and not counted`}`)
      return exitCodes.ok
    }),
  )
}

async function workThrough(
  fleet: Fleet,
  name: string,
  { concurrency, allowExec, drain, lease, quiet }: WorkerOptions,
  signal: AbortSignal,
  io: Io,
): Promise<{ readonly recorded: number; readonly late: number }> {
  const colours = coloursFor(io, 'stderr')
  const entered = { recorded: 0, late: 0 }
  const working = fleet.work({
    name,
    concurrency,
    signal,
    drain,
    ...(lease === undefined ? {} : { leaseMs: lease }),
    tell: (message) => tell(io, message),
    prepare: (target, campaign, spend) => prepareTarget(target, campaign, spend, { allowExec, quiet, io }),
    onPreflight({ target }, preflight) {
      if (!quiet) tell(io, `${target}: ${preflightText(preflight)}`)
    },
  })
  for await (const { run, trial, entered: how } of working) {
    entered[how] += 1
    if (how === 'late') tell(io, `${run.file}, trial ${run.trial}: ${LATE}`)
    if (quiet) continue
    const line = `${outcomeText(trial.outcome, colours)} ${printable(withArm(`${run.target} · ${run.file} · ${run.trial}`, run.arm))}`
    io.stderr.write(`${[line, ...reasonLines(trial, colours)].join('\n')}\n`)
  }
  return entered
}

const LATE = 'not counted, because another worker finished first or the campaign was deleted'
