/** One search for restraints by the command: every batch is a suite. */
import type { BudgetLimits, Redacted, Results, SuiteAttack } from '@joust/arena'
import type { HardenBatch, Hardened, TriedSet } from '@joust/arena/harden'
import { printable } from '@joust/source'
import type { HardenOwnOptions } from '../options/harden.ts'
import type { Io } from '../terminal/io.ts'
import { count } from './count.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { attackTarget, loudnessOf, openFolder } from './suite.ts'

/** What a search is made of. */
interface HardenJob {
  readonly prepared: Pick<PreparedRun, 'options' | 'redactor'>
  readonly target: PreparedTarget
  readonly attacks: readonly SuiteAttack[]
  readonly own: Pick<HardenOwnOptions, 'by' | 'confirm'>
  /** The folder of the results, as the user names it. */
  readonly word: string
  readonly signal: AbortSignal
}

/** Searches; what is kept of the runs before and after it lies below the folder of the results. */
export async function hardenTarget(job: HardenJob, io: Io): Promise<Hardened> {
  const { prepared, own, target, attacks, signal } = job
  const { hardenAgent } = await import('@joust/arena/harden')
  const { agent } = target.target
  if (agent === undefined) throw new Error('only an agent file can be hardened')
  return hardenAgent(attacks, {
    agent,
    bind: target.given.options.bind,
    ...(own.by.length > 0 && { kinds: own.by }),
    confirm: own.confirm,
    budget: target.plan.budget,
    redactor: prepared.redactor,
    signal,
    onTried: (tried) => prepared.options.quiet || io.stderr.write(triedLine(tried)),
    run: (batch, left) => runBatch(job, batch, left, io),
  })
}

async function runBatch(job: HardenJob, batch: HardenBatch, budget: BudgetLimits, io: Io): Promise<Redacted<Results>> {
  const { prepared, target, word, signal } = job
  const { given, judge, target: planned } = target
  const plan = { ...target.plan, budget, ...(batch.trials === undefined ? {} : { trials: batch.trials }) }
  const shared = {
    plan,
    redactor: prepared.redactor,
    selection: { attacks: batch.attacks, broken: [], filtered: 0 },
    target: { ...planned, make: (runtime, cassette) => planned.make(runtime, cassette, batch.agent) } as typeof planned,
  }
  const folder = batch.kept
    ? await openFolder(given, { word, under: batch.name, resume: false }, shared, io)
    : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  return attackTarget(
    {
      ...shared,
      folder: folder?.value,
      judge: signal.aborted ? undefined : judge,
      allowHosts: given.options.allowHost,
      loudness: batch.name === 'before' ? loudnessOf(prepared.options) : 'quiet',
      signal,
      onEvent: batch.onEvent,
      onAgentEvent: batch.onAgentEvent,
    },
    io,
  )
}

function triedLine({ restraints, attacks, effects }: TriedSet): string {
  const stopped = effects.filter(({ attack }) => attack === 'stopped').length
  const lost = effects.filter(({ kept }) => !kept).length
  const task = lost === 0 ? 'every task done' : `${count(lost, 'task')} not done`
  const what =
    restraints.length > 3 ? `${restraints.length} restraints together` : restraints.map(({ text }) => text).join(' + ')
  return `joust: ${printable(what)}: stops ${stopped} of ${attacks.length}, ${task}\n`
}
