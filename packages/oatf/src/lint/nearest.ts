import { suggest } from '@joust/source'
import { followShape, pathsOf } from '../bindings/shape-paths.ts'
import { wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import type { MessageKind } from '../traffic/message-kinds.ts'

interface Nearest {
  readonly path: string
  readonly surface: string
}

/** Returns the nearest path: one with different wildcards, a suffix, a similar spelling, or else the message text. */
export function nearestPath(target: string, kinds: readonly MessageKind[], scoped: boolean): Nearest | undefined {
  const candidates = kinds.flatMap((kind) =>
    kind.shapes.flatMap(pathsOf).map((path) => ({ path, surface: kind.row.surface, kind })),
  )
  const likely = scoped ? candidates : candidates.filter(({ kind }) => kind.row.usual === true)
  const names = namesOf(target)
  const match =
    likely.find(({ path }) => namesOf(path) === names) ??
    candidates.find(({ path }) => namesOf(path) === names) ??
    endOf(target, likely, kinds) ??
    misspelled(target, likely)
  if (match !== undefined) return { path: textBelow(match.path, match.kind), surface: match.surface }
  return textPath(kinds)
}

interface Candidate extends Nearest {
  readonly kind: MessageKind
}

function namesOf(path: string): string {
  return path.replaceAll('[*]', '')
}

/** Returns the path without the envelope, which messages lack. The path may end in an object with arbitrary content. */
function endOf(target: string, candidates: readonly Candidate[], kinds: readonly MessageKind[]): Candidate | undefined {
  const names = target.split('.')
  for (let from = 1; from < names.length; from++) {
    const rest = names.slice(from).join('.')
    const match = candidates.find(({ path }) => namesOf(path) === namesOf(rest)) ?? openEnd(rest, candidates, kinds)
    if (match !== undefined) return match
  }
  return undefined
}

function openEnd(path: string, candidates: readonly Candidate[], kinds: readonly MessageKind[]): Candidate | undefined {
  const steps = wildcardSteps(path)
  if (steps === undefined) return undefined
  const isLikely = (kind: MessageKind) => candidates.some((candidate) => candidate.kind === kind)
  const kind = kinds
    .filter(isLikely)
    .find(({ shapes }) => shapes.some((one) => followShape(one, steps, 'lists').length > 0))
  return kind && { path, surface: kind.row.surface, kind }
}

function misspelled(target: string, candidates: readonly Candidate[]): Candidate | undefined {
  const guess = suggest(
    target,
    candidates.map(({ path }) => path),
  )
  return candidates.find(({ path }) => path === guess)
}

/** Extends a path to the text below it, which most indicators examine. */
function textBelow(path: string, { row, direction }: MessageKind): string {
  const text = direction === 'request' ? row.requestText : row.responseText
  return text?.startsWith(`${path}[*]`) || text?.startsWith(`${path}.`) ? text : path
}

function textPath(kinds: readonly MessageKind[]): Nearest | undefined {
  const inOrder = [...kinds.filter(({ row }) => row.usual === true), ...kinds]
  for (const { row, direction } of inOrder) {
    const path = direction === 'request' ? row.requestText : row.responseText
    if (path !== undefined) return { path, surface: row.surface }
  }
  return undefined
}
