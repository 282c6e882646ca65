/** Every text that the attacker wrote, and where: what may reach the agent. */
import { formatPath, isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import type { Role } from '../bindings/binding.ts'
import { findMode, roleOf } from '../bindings/table.ts'
import { type ActorSite, type PhaseSite, textOf, type Walk } from '../rules/walk.ts'
import { markOf } from './marks.ts'

/**
 * How the agent comes by it: with a listing, by asking for just this, because it is asked something, or because a client
 * says it; never, where the mode of the actor has no such key (`idle`).
 */
export type PlantKind = 'listing' | 'answer' | 'question' | 'message' | 'idle'

/** Whether the agent gets a thing only by what it does, and not with what everybody is told. */
export function isFetched({ kind }: Pick<Planted, 'kind'>): boolean {
  return kind === 'answer' || kind === 'question'
}

/** One thing that the attacker wrote. */
export interface Planted {
  /** In the document as written. */
  readonly path: string
  readonly at: Path
  readonly value: Value
  readonly kind: PlantKind
  readonly actor: string
  readonly role: Role
  /** The names of the phases in which it is in force: that of its state, and those after it that have none of their own. */
  readonly phases: readonly string[]
  /** The tool, resource or prompt that it belongs to. */
  readonly owner?: string
}

type Piece = Pick<Planted, 'at' | 'value' | 'kind'> & { readonly owner?: string | undefined }

/** Everything planted, in the order of the document. */
export function plantedIn(walk: Pick<Walk, 'actors'>): Planted[] {
  return collect(walk, piecesOf)
}

/** What stands in a state under a key that its mode does not have: written to be met, and never sent. */
export function idleIn(walk: Pick<Walk, 'actors'>): Planted[] {
  return collect(walk, idlePieces)
}

function collect({ actors }: Pick<Walk, 'actors'>, read: (phase: PhaseSite) => Piece[]): Planted[] {
  return actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => {
      const common = { actor: actor.name ?? 'default', role: roleOf(actor.mode ?? ''), phases: inForce(actor, index) }
      // What holds nothing at all is nothing that could be sent.
      const pieces = read(phase).filter(({ value }) => markOf(value) !== undefined)
      return pieces.map(({ owner, ...piece }) => ({
        ...piece,
        ...common,
        path: formatPath(piece.at),
        ...(owner === undefined ? {} : { owner }),
      }))
    }),
  )
}

function inForce({ phases }: ActorSite, from: number): string[] {
  const later = phases.slice(from + 1)
  const next = later.findIndex((phase) => own(phase.value, 'state') !== undefined)
  return [phases[from], ...(next < 0 ? later : later.slice(0, next))].flatMap((phase) =>
    phase === undefined ? [] : [nameOf(phase)],
  )
}

function nameOf(phase: PhaseSite): string {
  return textOf(phase.value, 'name') ?? `phase-${phase.index + 1}`
}

function piecesOf(phase: PhaseSite): Piece[] {
  const state = own(phase.value, 'state')
  const entries = own(phase.value, 'on_enter')
  const sent = isList(entries)
    ? entries.flatMap((entry, index) => entryPieces(entry, [...phase.path, 'on_enter', index]))
    : []
  return [...(isRecord(state) ? statePieces(state, [...phase.path, 'state']) : []), ...sent]
}

function idlePieces(phase: PhaseSite): Piece[] {
  const state = own(phase.value, 'state')
  const mode = findMode(phase.mode ?? '')
  if (mode === undefined || !isRecord(state)) return []
  const idle = Object.entries(state).filter(([key]) => !key.startsWith('x-') && !mode.stateKeys.includes(key))
  return idle.map(([key, value]) => ({ at: [...phase.path, 'state', key], value, kind: 'idle' }))
}

function entryPieces(entry: Value, at: Path): Piece[] {
  return isRecord(entry) && own(entry, 'log') === undefined ? [{ at, value: entry, kind: 'message' }] : []
}

/** Keys of a state whose entries are shown in a listing. */
const LISTED = ['tools', 'resources', 'resource_templates', 'prompts']
/** Keys of a state that are told when somebody connects or looks. */
const TOLD = ['instructions', 'server_info', 'capabilities', 'agent_card']
/** Lists of a state that answer requests of the agent. */
const ANSWERING = ['task_responses', 'tool_responses', 'sampling_responses', 'elicitation_responses']
/** Parts of an input to an agent of which each entry stands for itself. */
const INPUT_LISTS = ['messages', 'tools', 'context']

function statePieces(state: ValueRecord, at: Path): Piece[] {
  return Object.entries(state).flatMap(([key, value]): Piece[] => {
    const here = [...at, key]
    if (TOLD.includes(key)) return [{ at: here, value, kind: 'listing' }]
    if (LISTED.includes(key)) return entriesOf(value, here).flatMap(listedPieces)
    if (ANSWERING.includes(key))
      return entriesOf(value, here).flatMap(({ at: path, value: entry }) => answerPieces(entry, path))
    if (key === 'elicitations') return entriesOf(value, here).map((entry) => ({ ...entry, kind: 'question' }))
    if (key === 'actions') return entriesOf(value, here).map(actionPiece)
    if (key === 'run_agent_input' && isRecord(value)) return inputPieces(value, here)
    return []
  })
}

function entriesOf(value: Value, at: Path): { readonly at: Path; readonly value: ValueRecord }[] {
  if (!isList(value)) return []
  return value.flatMap((entry, index) => (isRecord(entry) ? [{ at: [...at, index], value: entry }] : []))
}

/** What a listing shows of an entry, and what the agent gets when it asks for it. */
function listedPieces({ at, value }: { readonly at: Path; readonly value: ValueRecord }): Piece[] {
  const owner = textOf(value, 'name') ?? textOf(value, 'uri')
  const responses = own(value, 'responses')
  const content = own(value, 'content')
  return [
    { at, value: without(value, 'responses', 'content'), kind: 'listing', owner },
    ...entriesOf(responses ?? [], [...at, 'responses']).flatMap(({ at: path, value: entry }) =>
      answerPieces(entry, path, owner),
    ),
    ...(content === undefined ? [] : [{ at: [...at, 'content'], value: content, kind: 'answer' as const, owner }]),
  ]
}

/** An answer, and what is asked or sent while it is made. */
function answerPieces(entry: ValueRecord, at: Path, owner?: string): Piece[] {
  const during = own(entry, 'x-joust-during')
  return [
    { at, value: without(entry, 'when', 'synthesize', 'x-joust-during'), kind: 'answer', owner },
    ...(during === undefined
      ? []
      : [{ at: [...at, 'x-joust-during'], value: during, kind: 'question' as const, owner }]),
  ]
}

/** What an action says is in its params. */
function actionPiece({ at, value }: { readonly at: Path; readonly value: ValueRecord }): Piece {
  return { at, value: own(value, 'params') ?? {}, kind: 'message' }
}

function inputPieces(input: ValueRecord, at: Path): Piece[] {
  return Object.entries(input).flatMap(([key, value]): Piece[] => {
    const here = [...at, key]
    if (INPUT_LISTS.includes(key)) return entriesOf(value, here).map((entry) => ({ ...entry, kind: 'message' }))
    return key === 'state' || key === 'forwardedProps' ? [{ at: here, value, kind: 'message' }] : []
  })
}

function without(record: ValueRecord, ...keys: readonly string[]): ValueRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
