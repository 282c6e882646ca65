/** Proofs that the attacks in a run can work: shipped with the library, cached for the user, or run in this process. */
import { isAbsolute, join } from 'node:path'
import {
  createProofCache,
  createProver,
  type DocumentProof,
  type ProveDocumentsOptions,
  type Prover,
} from '@joust/adaptive/prover'
import { libraryProofs } from '@joust/library'
import type { Results } from '@joust/results'
import { simulationVersion } from '@joust/sim'
import { count, defined } from '@joust/source'
import type { SuiteAttack, SuiteJudge, SuiteOptions, SuiteRun, SuiteRunOptions } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import type { CommandSuite } from './suite-options.ts'

/** Creates a prover with the proofs from the library, from the user's cache and from a baseline. */
export function proverFor(io: Pick<Io, 'env'>, { strict, baseline }: ProverSources = {}): Prover {
  const folder = cacheFolder(io.env)
  const exploited = baseline?.targets.flatMap(({ attacks }) => attacks).filter(({ outcome }) => outcome === 'exploited')
  return createProver({
    library: libraryProofs(simulationVersion),
    ...(folder !== undefined && { cache: createProofCache(join(folder, 'proofs')) }),
    ...(exploited && { baseline: new Set(exploited.map(({ fingerprint }) => fingerprint)) }),
    ...defined({ strict }),
  })
}

interface ProverSources extends Partial<Pick<RunOptions, 'strict'>> {
  readonly baseline?: Results | undefined
}

export function cacheFolder(env: Io['env'], platform = process.platform): string | undefined {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '', HOME: home = '' } = env
  // The XDG specification ignores relative paths.
  if (isAbsolute(xdg)) return join(xdg, 'joust')
  if (platform === 'win32') return local === '' ? undefined : join(local, 'joust', 'cache')
  if (!isAbsolute(home)) return undefined
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'joust') : join(home, '.cache', 'joust')
}

/** Adds the proof of the attack document to each run. Documents are proven during the preflight. */
export function withProofs<T extends CommandSuite>(
  attacks: readonly SuiteAttack[],
  suite: T,
  isQuiet: boolean,
  io: Io,
): T {
  const { judge: open, signal, prover, allowUnproven } = suite
  // A suite opens its judge before the first run.
  let judge: SuiteJudge | undefined
  let proofs: ReturnType<Prover['prove']> | undefined
  const begin = () => {
    proofs ??= proveAloud(prover, attacks, { ...defined({ signal }), ...judgeOf(judge) }, isQuiet, io)
    return proofs
  }
  return {
    ...suite,
    run: async (which) => {
      if (which.isPreflight === true) void begin()
      const prove = async () => {
        await begin()
        return (await prover.prove([which])).get(which.attack.fingerprint)
      }
      return provenRun(which, suite.run, prove, allowUnproven)
    },
    ...(open && {
      judge: async (which) => {
        judge = await open(which)
        return judge
      },
    }),
  } satisfies CommandSuite
}

export function judgeOf(
  judge: Pick<SuiteJudge, 'evaluator' | 'about'> | undefined,
): Pick<ProveDocumentsOptions, 'judge'> {
  return judge === undefined ? {} : { judge: { model: judge.about.model, evaluator: judge.evaluator } }
}

/** Returns run options with the proof of the attack document. Only runs of the attack itself need a proof. */
export async function provenRun(
  which: SuiteRun,
  run: NonNullable<SuiteOptions['run']>,
  prove: () => Promise<DocumentProof | undefined>,
  allowUnproven: boolean,
): Promise<SuiteRunOptions> {
  const options = await run(which)
  // In self-play, no agent takes part.
  const isSelfPlay = options.wire !== undefined && options.target === undefined
  if (which.isPreflight === true || which.arm !== 'attack' || isSelfPlay) return options
  return { ...options, known: { ...options.known, ...(await prove()), ...(allowUnproven && { allow_unproven: true }) } }
}

/** Proves documents; prints a message if that takes a while. */
async function proveAloud(
  prover: Prover,
  attacks: readonly SuiteAttack[],
  options: ProveDocumentsOptions,
  isQuiet: boolean,
  io: Io,
): ReturnType<Prover['prove']> {
  let timer: NodeJS.Timeout | undefined
  const onControl = (documents: number) => {
    const text = `positive control: running ${count(documents, 'attack')} against simulated agents`
    if (!isQuiet) timer = setTimeout(() => tell(io, text), commandLimits.controlMs)
  }
  return prover.prove(attacks, { ...options, onControl }).finally(() => clearTimeout(timer))
}
