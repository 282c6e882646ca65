/** Searches for restraints; every batch is a suite. */

import type { Hardened, TriedSet } from '@joust/adaptive'
import { count } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import type { HardenOwnOptions } from '../options/harden.ts'
import { type Io, tell } from '../terminal/io.ts'
import { runBatch, type Search } from './batch.ts'
import { loudnessOf } from './suite.ts'
import { runsOf } from './suite-options.ts'

interface HardenJob extends Search {
  readonly attacks: readonly SuiteAttack[]
  readonly own: Pick<HardenOwnOptions, 'by' | 'confirm'>
}

/** Searches for restraints. Keeps the runs before and after hardening in the results folder. */
export async function hardenTarget(job: HardenJob, io: Io): Promise<Hardened> {
  const { own, attacks, signal, target } = job
  const { suite } = target
  const { options } = target.chosen
  const { hardenAgent } = await import('@joust/adaptive')
  const { agent, policies = [] } = target.plan
  if (agent === undefined) throw new Error('only an agent file can be hardened')
  return hardenAgent(attacks, {
    agent,
    bind: options.bind,
    policies,
    ...(own.by.length > 0 && { kinds: own.by }),
    confirm: own.confirm,
    budget: suite.budget,
    redactor: suite.redactor,
    signal,
    onTried: (tried) => options.quiet || tell(io, triedLine(tried)),
    run: ({ kept: isKept, agent, onAgentEvent, ...batch }, budget) => {
      const loudness = batch.name === 'before' ? loudnessOf(options) : 'quiet'
      const run = runsOf(options, target.plan, target.recordings, { agent, onAgentEvent })
      return runBatch(job, { ...batch, isKept, loudness, budget, run }, io)
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
