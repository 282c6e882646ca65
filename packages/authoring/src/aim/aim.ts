/** Aims attacks at the flows of a session: writes documents and keeps those that are proven. */
import { type Proof, proveAttacks } from '@joust/adaptive'
import type { LoadedAttack } from '@joust/oatf'
import { loadOnDemand } from '@joust/oatf/on-demand'
import { err, ok } from '@joust/source'
import type { Session } from '../session/session.ts'
import { type AimedDocument, writeDocument } from './document/document.ts'
import { type TechniqueName, techniqueNames } from './document/techniques.ts'
import { type Flow, groupFlows, key } from './flows.ts'
import { aimLimits } from './limits.ts'

/** Options of `aimAttacks`. */
export interface AimOptions {
  /** Most documents to write. */
  readonly max: number
  /** By default all. */
  readonly techniques?: readonly TechniqueName[]
  readonly signal?: AbortSignal
  /** Called with the number of documents that are proven so far and the number of tries. */
  readonly onProgress?: (proven: number, tried: number) => void
}

/** A flow and technique without a document. */
export interface Rejected {
  readonly flow: Flow
  readonly technique: TechniqueName
  readonly reason: string
}

/** The proven documents in the order of their flows, and the others with the reason. */
export interface Aimed {
  readonly documents: readonly AimedDocument[]
  readonly rejected: readonly Rejected[]
}

/** Writes and proves documents until there are `max` of them; the same input gives the same documents. */
export async function aimAttacks(session: Session, flows: readonly Flow[], options: AimOptions): Promise<Aimed> {
  const { max, techniques = techniqueNames, signal, onProgress } = options
  const candidates = candidatesOf(flows, techniques)
  const documents: AimedDocument[] = []
  const rejected: Rejected[] = []
  const most = max * aimLimits.triesPerDocument
  let tried = 0
  for (let next = 0; documents.length < max && next < candidates.length && tried < most && !signal?.aborted; ) {
    const batch: { readonly document: AimedDocument; readonly attack: LoadedAttack }[] = []
    while (batch.length < max - documents.length && next < candidates.length && tried + batch.length < most) {
      const { flow, technique } = candidates[next++] as (typeof candidates)[number] // below the length
      const written = await loaded(session, flow, technique)
      if (written.ok) batch.push(written.value)
      else rejected.push({ flow, technique, reason: written.error })
    }
    tried += batch.length
    const proofs = await prove(batch, signal)
    for (const { document } of batch) {
      const proof = proofs.get(document.file)
      if (proof?.proven === true) documents.push(document)
      else if (!signal?.aborted) rejected.push({ ...document, reason: proof?.faults[0] ?? 'the proof failed' })
    }
    onProgress?.(documents.length, tried)
  }
  return { documents, rejected }
}

async function loaded(session: Session, flow: Flow, technique: TechniqueName) {
  const written = writeDocument(session, flow, technique)
  if (!written.ok) return written
  const attack = await loadOnDemand(written.value.text)
  if (!attack.ok) return err(`the document is not valid: ${attack.error[0]?.message ?? ''}`)
  const findings = [...attack.value.warnings, ...attack.value.lint]
  if (findings[0] !== undefined) return err(`lint: ${findings[0].message}`)
  return ok({ document: written.value, attack: attack.value })
}

async function prove(
  batch: readonly { readonly document: AimedDocument; readonly attack: LoadedAttack }[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Proof>> {
  const attacks = batch.map(({ document, attack }) => ({ file: document.file, attack }))
  const proofs = await proveAttacks(attacks, signal === undefined ? {} : { signal })
  return new Map(proofs.map((proof) => [proof.file, proof]))
}

interface Candidate {
  readonly flow: Flow
  readonly technique: TechniqueName
}

/** Flows with and without private data take turns, then flows by their sinks, and techniques by flows, so that the first candidates differ as much as possible. */
function candidatesOf(flows: readonly Flow[], techniques: readonly TechniqueName[]): Candidate[] {
  const spreadOf = (some: readonly Flow[]) =>
    inTurns(
      some,
      ({ sink }) => key(sink),
      ({ source }) => key(source),
    )
  const isPrivate = (flow: Flow) => flow.private !== undefined
  const spread = zipped([spreadOf(flows.filter(isPrivate)), spreadOf(flows.filter((flow) => !isPrivate(flow)))])
  const rounds: Candidate[] = []
  for (let round = 0; round < techniques.length; round++)
    for (const [index, flow] of spread.slice(0, aimLimits.flows).entries()) {
      const technique = techniques[(index + round) % techniques.length]
      if (technique !== undefined) rounds.push({ flow, technique })
    }
  return rounds
}

/** Takes one flow of each group in turn; within a group, one of each second group. */
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
