/** One search for restraints by the command: every batch is a suite, within one budget. */
import { join } from 'node:path'
import {
  type BudgetLimits,
  joinResults,
  type Redacted,
  type Results,
  type SuiteAttack,
  withHardening,
} from '@joust/arena'
import type { HardenBatch, Hardened, TriedSet } from '@joust/arena/harden'
import { printable } from '@joust/source'
import type { HardenOwnOptions } from '../options/harden.ts'
import type { Io } from '../terminal/io.ts'
import { count } from './count.ts'
import { createLedger } from './ledger.ts'
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

/** What came of it, with the files that are to be written. */
export interface HardenedTarget extends Hardened {
  /** The attacks on the agent as it was, with what would have stopped them. */
  readonly results: Redacted<Results>
  /** The folder of the runs after it, below that of the results. */
  readonly afterIn?: string
}

/** Searches; what is kept of the runs before and after it lies below the folder of the results. */
export async function hardenTarget(job: HardenJob, io: Io): Promise<HardenedTarget> {
  const { prepared, own, target, attacks, signal } = job
  const { hardenAgent } = await import('@joust/arena/harden')
  const { agent } = target.target
  if (agent === undefined) throw new Error('only an agent file can be hardened')
  const ledger = createLedger(target.plan.budget)
  const kept = new Map<Results, string>()
  const hardened = await hardenAgent(attacks, {
    agent,
    bind: target.given.options.bind,
    ...(own.by.length > 0 && { kinds: own.by }),
    confirm: own.confirm,
    signal,
    exhausted: ledger.exhausted,
    onTried: (tried) => prepared.options.quiet || io.stderr.write(triedLine(tried)),
    run: async (batch) => {
      const results = await runBatch(job, batch, ledger.left(), io)
      ledger.agent(results)
      if (isKept(batch)) kept.set(results, batch.name)
      return results
    },
  })
  const { before, after, hardening } = hardened
  const whole = joinResults([{ results: before, under: kept.get(before) ?? BEFORE }])
  const afterIn = after && kept.get(after)
  return { ...hardened, results: withHardening(whole, hardening, prepared.redactor), ...(afterIn && { afterIn }) }
}

const BEFORE = 'before'

/** The runs before it, and those by which a set is believed. */
function isKept({ name }: HardenBatch): boolean {
  return name === BEFORE || name.startsWith('after')
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
  const folder = isKept(batch)
    ? await openFolder(given, { word, under: batch.name, resume: false }, shared, io)
    : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  return attackTarget(
    {
      ...shared,
      folder: folder?.value,
      judge: signal.aborted ? undefined : judge,
      allowHosts: given.options.allowHost,
      loudness: batch.name === BEFORE ? loudnessOf(prepared.options) : 'quiet',
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

/** Where the results of the runs after it lie. */
export function afterFolder(home: string, { afterIn }: HardenedTarget): string | undefined {
  return afterIn === undefined ? undefined : join(home, afterIn)
}
