/** For a path that leads nowhere: one that does, and that its author may have meant. */
import { suggest } from '@joust/source'
import { pathsOf } from '../bindings/shape-paths.ts'
import type { MessageKind } from './message-kinds.ts'

/** A path that exists, and in which operation. */
interface Nearest {
  readonly path: string
  readonly surface: string
}

/** The nearest path: the same names with other wildcards, its end, the same misspelled, else where the text is. */
export function nearestPath(target: string, kinds: readonly MessageKind[], scoped: boolean): Nearest | undefined {
  const candidates = kinds.flatMap((kind) =>
    kind.shapes.flatMap(pathsOf).map((path) => ({ path, surface: kind.row.surface, kind })),
  )
  const likely = scoped ? candidates : candidates.filter(({ kind }) => kind.row.usual === true)
  const wanted = namesOf(target)
  const found =
    likely.find(({ path }) => namesOf(path) === wanted) ??
    candidates.find(({ path }) => namesOf(path) === wanted) ??
    endOf(wanted, likely) ??
    misspelled(target, likely)
  if (found !== undefined) return { path: textBelow(found.path, found.kind), surface: found.surface }
  return textPath(kinds)
}

interface Candidate extends Nearest {
  readonly kind: MessageKind
}

function namesOf(path: string): string {
  return path.replaceAll('[*]', '')
}

/** What is left when an envelope that messages do not have is taken off the front. */
function endOf(wanted: string, candidates: readonly Candidate[]): Candidate | undefined {
  const names = wanted.split('.')
  for (let from = 1; from < names.length; from++) {
    const rest = names.slice(from).join('.')
    const found = candidates.find(({ path }) => namesOf(path) === rest)
    if (found !== undefined) return found
  }
  return undefined
}

function misspelled(target: string, candidates: readonly Candidate[]): Candidate | undefined {
  const guess = suggest(
    target,
    candidates.map(({ path }) => path),
  )
  return candidates.find(({ path }) => path === guess)
}

/** From the whole of a part down to its text, where that is what people look for. */
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
