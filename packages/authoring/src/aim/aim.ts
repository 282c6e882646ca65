/** Writes attack documents for the flows in a session and keeps the documents that are proven. */
import { type Proof, proveAttacks } from '@joust/adaptive'
import type { LoadedAttack } from '@joust/oatf'
import { loadOnDemand } from '@joust/oatf/on-demand'
import { err, ok, type Result } from '@joust/source'
import type { Session } from '../session/session.ts'
import { type AimedDocument, recordedTask, writeDocument } from './document/document.ts'
import { type TechniqueName, techniqueNames } from './document/techniques.ts'
import { type Flow, groupFlows, key } from './flows.ts'
import { aimLimits } from './limits.ts'

/** Options for {@link aimAttacks}. */
export interface AimOptions {
  /** Maximum number of documents to write. */
  readonly max: number
  /** Techniques to use. @default all */
  readonly techniques?: readonly TechniqueName[]
  /** Stops the proofs. @default never aborted */
  readonly signal?: AbortSignal
  /** Called with the number of proven and the number of tried documents. @default none */
  readonly onProgress?: (proven: number, tried: number) => void
}

/** A flow and technique without a proven document. */
export interface Rejected {
  readonly flow: Flow
  readonly technique: TechniqueName
  readonly reason: string
}

/** The proven documents in flow order, and the rejected candidates. */
export interface Aimed {
  readonly documents: readonly AimedDocument[]
  readonly rejected: readonly Rejected[]
}

/**
 * Writes and proves up to `max` documents. The same input results in the same documents.
 *
 * @example
 * const session = { joust_session: 1, servers: [] } as const
 * const { documents, rejected } = await aimAttacks(session, findFlows(session, classifySession(session)).flows, { max: 5 })
 */
export async function aimAttacks(session: Session, flows: readonly Flow[], options: AimOptions): Promise<Aimed> {
  const { max, techniques = techniqueNames, signal, onProgress } = options
  const candidates = candidatesOf(flows, techniques)
  const documents: AimedDocument[] = []
  const rejected: Rejected[] = []
  const most = max * aimLimits.triesPerDocument
  let tried = 0
  for (let next = 0; documents.length < max && next < candidates.length && tried < most && !signal?.aborted; ) {
    const batch: Candidate[] = []
    while (batch.length < max - documents.length && next < candidates.length && tried + batch.length < most) {
      const { flow, technique } = candidates[next++] as (typeof candidates)[number] // below the length
      const written = await loaded(session, flow, technique)
      if (written.ok) batch.push(written.value)
      else rejected.push({ flow, technique, reason: written.error })
    }
    tried += batch.length
    for (const { document, proof } of await proveOrReword(session, batch, signal)) {
      if (proof?.proven === true) documents.push(document)
      else if (!signal?.aborted) rejected.push({ ...document, reason: proof?.faults[0] ?? 'not proven' })
    }
    onProgress?.(documents.length, tried)
  }
  return { documents, rejected }
}

interface Candidate {
  readonly document: AimedDocument
  readonly attack: LoadedAttack
}

/** Uses the recorded task if it calls the source, otherwise a generated task. */
async function loaded(session: Session, flow: Flow, technique: TechniqueName): Promise<Result<Candidate, string>> {
  const first = await loadedWith(session, flow, technique)
  return first.ok || recordedTask(session, flow) === undefined ? first : loadedWith(untasked(session), flow, technique)
}

function untasked({ task: _, ...rest }: Session): Session {
  return rest
}

async function loadedWith(session: Session, flow: Flow, technique: TechniqueName): Promise<Result<Candidate, string>> {
  const written = writeDocument(session, flow, technique)
  if (!written.ok) return written
  const attack = await loadOnDemand(written.value.text)
  if (!attack.ok) return err(`invalid document: ${attack.error[0]?.message ?? ''}`)
  const findings = [...attack.value.warnings, ...attack.value.lint]
  if (findings[0] !== undefined) return err(`lint: ${findings[0].message}`)
  return ok({ document: written.value, attack: attack.value })
}

/** Proves documents. A document that is not proven with the recorded task is tried with a generated task. */
async function proveOrReword(session: Session, batch: readonly Candidate[], signal: AbortSignal | undefined) {
  const proofs = await prove(batch, signal)
  const reworded = new Map<string, Candidate>()
  for (const { document } of batch) {
    const { file, flow, technique } = document
    if (proofs.get(file)?.proven === true || recordedTask(session, flow) === undefined) continue
    const again = await loadedWith(untasked(session), flow, technique)
    if (again.ok) reworded.set(file, again.value)
  }
  const later = reworded.size === 0 || signal?.aborted ? undefined : await prove([...reworded.values()], signal)
  return batch.map(({ document }) => ({
    document: reworded.get(document.file)?.document ?? document,
    proof: later?.get(document.file) ?? proofs.get(document.file),
  }))
}

async function prove(
  batch: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Proof>> {
  const attacks = batch.map(({ document, attack }) => ({ file: document.file, attack }))
  const proofs = await proveAttacks(attacks, signal === undefined ? {} : { signal })
  return new Map(proofs.map((proof) => [proof.file, proof]))
}

interface Pair {
  readonly flow: Flow
  readonly technique: TechniqueName
}

/**
 * Orders candidates so that the first ones differ as much as possible: alternates between flows with and without
 * private data, then between sinks, and changes the technique from flow to flow.
 */
function candidatesOf(flows: readonly Flow[], techniques: readonly TechniqueName[]): Pair[] {
  const spreadOf = (some: readonly Flow[]) =>
    inTurns(
      some,
      ({ sink }) => key(sink),
      ({ source }) => key(source),
    )
  const isPrivate = (flow: Flow) => flow.private !== undefined
  const spread = zipped([spreadOf(flows.filter(isPrivate)), spreadOf(flows.filter((flow) => !isPrivate(flow)))])
  const rounds: Pair[] = []
  for (let round = 0; round < techniques.length; round++)
    for (const [index, flow] of spread.slice(0, aimLimits.flows).entries()) {
      const technique = techniques[(index + round) % techniques.length]
      if (technique !== undefined) rounds.push({ flow, technique })
    }
  return rounds
}

/** Takes flows from each group in turn, and within a group from each subgroup in turn. */
function inTurns(flows: readonly Flow[], first: (flow: Flow) => string, second: (flow: Flow) => string): Flow[] {
  const groups = [...groupFlows(flows, first).values()].map((group, index) => {
    const parts = [...groupFlows(group, second).values()]
    const shift = parts.length === 0 ? 0 : index % parts.length
    return zipped([...parts.slice(shift), ...parts.slice(0, shift)])
  })
  return zipped(groups)
}

function zipped(groups: readonly (readonly Flow[])[]): Flow[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat()
}
