/** One search for restraints by the command: every batch is a suite. */
import type { SuiteAttack } from '@joust/arena'
import type { Hardened, TriedSet } from '@joust/arena/harden'
import { count } from '@joust/source'
import type { HardenOwnOptions } from '../options/harden.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import { type Io, tell } from '../terminal/io.ts'
import { attackBatch, type Search } from './batch.ts'
import { loudnessOf } from './suite.ts'

/** What a search for restraints needs. */
interface HardenJob extends Search {
  readonly attacks: readonly SuiteAttack[]
  readonly own: Pick<HardenOwnOptions, 'by' | 'confirm'>
}

/** Searches for restraints; what is kept of the runs before and after is below the folder of the results. */
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
    onTried: (tried) => prepared.options.quiet || tell(io, triedLine(tried)),
    run: ({ kept: isKept, agent: changed, ...batch }, left) => {
      const planned: TargetPlan = {
        ...target.target,
        make: (runtime, cassette) => target.target.make(runtime, cassette, changed),
      }
      const loudness = batch.name === 'before' ? loudnessOf(prepared.options) : 'quiet'
      return attackBatch(job, planned, { ...batch, isKept, loudness }, left, io)
    },
  })
}

function triedLine({ restraints, attacks, effects }: TriedSet): string {
  const stopped = effects.filter(({ attack }) => attack === 'stopped').length
  const lost = effects.filter(({ kept }) => !kept).length
  const task = lost === 0 ? 'every task done' : `${count(lost, 'task')} not done`
  const what =
    restraints.length > 3 ? `${restraints.length} restraints together` : restraints.map(({ text }) => text).join(' + ')
  return `${what}: stops ${stopped} of ${attacks.length}, ${task}`
}
