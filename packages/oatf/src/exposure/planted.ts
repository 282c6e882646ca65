/** Finds the planted items, meaning all attacker content that may reach the agent. */
import { defined, formatPath, isList, isRecord, own, ownText, type Path, type Value, valueAt } from '@joust/source'
import { type Role, roleOf } from '../bindings/binding.ts'
import { blockTexts, OVERLAY } from '../bindings/overlay.ts'
import { findMode } from '../bindings/table.ts'
import { filesIn, WORKSPACE } from '../bindings/workspace.ts'
import {
  type ActorSite,
  type PhaseSite,
  phaseName,
  type Site,
  siteAt,
  sitesAt,
  type Walk,
  without,
} from '../walk/walk.ts'
import { type Mark, markOf } from './marks.ts'

/**
 * The way an item reaches the agent: in a listing, as a response to a request, as a question from a server, or as a message
 * from a client. `idle` items never reach the agent, because the actor's mode does not define the state key.
 */
export type PlantKind = 'listing' | 'answer' | 'question' | 'message' | 'idle'

/** True for an item that is sent as a response or a question. */
export function isFetched({ kind }: Pick<Planted, 'kind'>): boolean {
  return kind === 'answer' || kind === 'question'
}

/** An item written by the attacker. */
export interface Planted {
  /** The path as written in the document. */
  readonly path: string
  readonly at: Path
  readonly value: Value
  readonly kind: PlantKind
  readonly actor: string
  readonly role: Role
  /** The phases in which the item is in effect: the phase whose state contains it, and later phases without a state. */
  readonly phases: readonly string[]
  /** The tool, resource or prompt that the item belongs to. */
  readonly owner?: string
  /** The methods that send the item unsolicited, as a question or a notification. */
  readonly methods?: readonly string[]
  /** The parts that are sent, each in its own message; absent if the whole value is sent. */
  readonly sent?: readonly SentPart[]
  /** The enclosing item, if this item is only a declared part. */
  readonly whole?: Planted
}

type SentPart = Pick<Planted, 'at' | 'value'>
type Piece = Pick<Planted, 'at' | 'value' | 'kind' | 'sent' | 'methods'> & { readonly owner?: string | undefined }

export function plantedIn(walk: Pick<Walk, 'actors' | 'attack'>): Planted[] {
  return [...collect(walk, piecesOf), ...plantedFiles(walk)]
}

function plantedFiles({ attack }: Pick<Walk, 'attack'>): Planted[] {
  const common = { kind: 'listing', actor: WORKSPACE, role: 'server', phases: [WORKSPACE] } as const
  return filesIn(attack).map(({ at, text: value, path: owner }) => {
    return { ...common, at, path: formatPath(at), value, owner }
  })
}

/** Returns items under state keys that the mode does not define: intended as bait, but never sent. */
export function idleIn(walk: Pick<Walk, 'actors'>): Planted[] {
  return collect(walk, idlePieces)
}

function collect({ actors }: Pick<Walk, 'actors'>, read: (phase: PhaseSite) => Piece[]): Planted[] {
  return actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => {
      const { name = 'default', mode = '' } = actor
      const common = { actor: name, role: roleOf(mode), phases: activePhases(actor, index) }
      // Empty items cannot be sent, and a response that sends nothing is not an item.
      const pieces = read(phase).filter(({ value, sent }) => sent?.length === 0 || markOf(value) !== undefined)
      return pieces.map((piece) => ({ ...defined(piece), ...common, path: formatPath(piece.at) }))
    }),
  )
}

/** Creates one mark for each message that contains part of the item. */
export function marksOf(item: Planted): Mark[] {
  const whole = item.whole ?? item
  const sent = whole.sent ?? [{ at: whole.at, value: whole.value }]
  return sent.flatMap(({ at, value }) => {
    const isInside = isPrefix(at, item.at)
    if (!isInside && !isPrefix(item.at, at)) return []
    const key = at.findLast((step) => typeof step === 'string')
    return markOf(value, String(key), isInside ? item.at.slice(at.length) : []) ?? []
  })
}

/** True if `path` is equal to `prefix` or below it. */
export function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => step === path[index])
}

function activePhases({ phases }: ActorSite, from: number): string[] {
  const next = phases.findIndex(({ value }, index) => index > from && own(value, 'state') !== undefined)
  return phases.slice(from, next < 0 ? phases.length : next).map(phaseName)
}

function piecesOf(phase: PhaseSite): Piece[] {
  const state = siteAt(phase, 'state')
  const entries = sitesAt(phase, 'on_enter').filter(({ value }) => own(value, 'log') === undefined)
  const sent = entries.map(entryPiece)
  return state === undefined ? sent : [...statePieces(state), ...sent]
}

function entryPiece(entry: Site): Piece {
  const sent = [...partsAt(entry, 'send', 'params'), ...partsAt(entry, 'send_push_notification', 'payload')]
  return { ...pieceOf(entry, 'message'), ...methodsIn([entry.value]), ...(sent.length > 0 && { sent }) }
}

function methodsIn(steps: readonly Value[]): Pick<Planted, 'methods'> {
  const methods = steps.flatMap((step) => ownText(own(step, 'send'), 'method') ?? [])
  return methods.length === 0 ? {} : { methods }
}

function partsAt({ path, value }: Site, ...below: Path): SentPart[] {
  const part = valueAt(value, below)
  return part === undefined ? [] : [{ at: [...path, ...below], value: part }]
}

function pieceOf({ path, value }: Site, kind: PlantKind, owner?: string): Piece {
  return { at: path, value, kind, owner }
}

function idlePieces(phase: PhaseSite): Piece[] {
  const state = siteAt(phase, 'state')
  const mode = findMode(phase.mode ?? '')
  if (mode === undefined || state === undefined) return []
  const idle = Object.entries(state.value).filter(([key]) => !key.startsWith('x-') && !mode.stateKeys.includes(key))
  return idle.map(([key, value]) => ({ at: [...state.path, key], value, kind: 'idle' }))
}

/** State keys with entries that appear in a listing. */
const LISTED = ['tools', 'resources', 'resource_templates', 'prompts']
/** State keys that are sent to any client that connects or requests a listing. */
const GREETING_KEYS = ['instructions', 'server_info', 'capabilities', 'agent_card']
/** State lists with responses to requests from the agent. */
const ANSWERING = ['task_responses', 'tool_responses', 'sampling_responses', 'elicitation_responses']
/** Lists in an agent's input with entries that are separate items. */
const INPUT_LISTS = ['messages', 'tools', 'context', 'resume']

function statePieces(state: Site): Piece[] {
  return Object.entries(state.value).flatMap(([key, value]): Piece[] => {
    const at = [...state.path, key]
    if (GREETING_KEYS.includes(key)) return [{ at, value, kind: 'listing' }]
    if (LISTED.includes(key)) return sitesAt(state, key).flatMap(listedPieces)
    if (ANSWERING.includes(key)) return sitesAt(state, key).flatMap((entry) => answerPieces(entry))
    if (key === 'elicitations') return sitesAt(state, key).map(elicitationPiece)
    if (key === 'actions') return sitesAt(state, key).map(actionPiece)
    if (key === 'x-joust-pages') return sitesAt(state, key).flatMap(pagePieces)
    if (key === 'x-joust-resume') return sitesAt(state, key).map(resumePiece)
    return key === 'run_agent_input' && isRecord(value) ? inputPieces({ path: at, value }) : []
  })
}

function listedPieces(entry: Site): Piece[] {
  const { path, value } = entry
  const owner = ownText(value, 'name') ?? ownText(value, 'uri')
  const content = own(value, 'content')
  return [
    { at: path, value: without(value, 'responses', 'content'), kind: 'listing', owner },
    ...sitesAt(entry, 'responses').flatMap((response) => answerPieces(response, owner)),
    ...(content === undefined ? [] : [{ at: [...path, 'content'], value: content, kind: 'answer' as const, owner }]),
  ]
}

function answerPieces({ path, value }: Site, owner?: string): Piece[] {
  const during = own(value, 'x-joust-during')
  const entry = { path, value: without(value, 'when', 'synthesize', 'x-joust-during', OVERLAY) }
  // A prompt with both keys sends the messages.
  const [body] = own(value, OVERLAY) === undefined ? [...partsAt(entry, 'messages'), ...partsAt(entry, 'content')] : []
  const sent = body === undefined || markOf(body.value) === undefined ? overlayTexts({ path, value }) : [body]
  const isSent = sent.length > 0 || own(value, 'synthesize') !== undefined
  const answer: Piece = { ...pieceOf(entry, 'answer', owner), ...(isSent && { sent }) }
  if (!isList(during)) return [answer]
  const at = [...path, 'x-joust-during']
  const steps = during.flatMap((step, index) => (isRecord(step) ? [{ path: [...at, index], value: step }] : []))
  // Prefers requests to notifications, because progress is reported only on demand.
  const requests = steps.filter(({ value: step }) => !String(valueAt(step, ['send', 'method'])).startsWith('notif'))
  const parts = (requests.length > 0 ? requests : steps).flatMap((step) => partsAt(step, 'send', 'params'))
  const question: Piece = { at, value: during, kind: 'question', owner, sent: parts, ...methodsIn(during) }
  return parts.length === 0 ? [answer] : [answer, question]
}

function overlayTexts({ path, value }: Site): SentPart[] {
  if (own(value, OVERLAY) === undefined) return []
  return blockTexts(own(value, 'content')).map(({ at, text }) => ({ at: [...path, 'content', ...at], value: text }))
}

/** Returns the texts of an elicitation. Each mode has its own keys. */
function elicitationPiece({ path, value }: Site): Piece {
  const others = own(value, 'mode') === 'url' ? ['requestedSchema'] : ['url', 'elicitationId']
  const sent = [{ at: path, value: without(value, 'when', ...others) }]
  return { ...pieceOf({ path, value }, 'question'), sent, methods: ['elicitation/create'] }
}

function actionPiece({ path, value }: Site): Piece {
  const params = own(value, 'params') ?? {}
  return { at: path, value: params, kind: 'message', sent: [{ at: [...path, 'params'], value: params }] }
}

/** Returns a server page, which is a response to a request for the page's path. */
function pagePieces({ path, value }: Site): Piece[] {
  const content = own(value, 'content')
  return content === undefined ? [] : [{ at: [...path, 'content'], value: content, kind: 'answer' }]
}

/** Returns the response to an interrupt, which is part of the next run. */
function resumePiece({ path, value }: Site): Piece {
  return { at: [...path, 'content'], value: own(value, 'content') ?? {}, kind: 'message' }
}

function inputPieces(input: Site): Piece[] {
  return Object.entries(input.value).flatMap(([key, value]): Piece[] => {
    if (INPUT_LISTS.includes(key)) return sitesAt(input, key).map((entry) => pieceOf(entry, 'message'))
    const isData = key === 'state' || key === 'forwardedProps'
    return isData ? [{ at: [...input.path, key], value, kind: 'message' }] : []
  })
}
