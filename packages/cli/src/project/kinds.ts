/** The kind of a target in the project file, and what is wrong where it cannot be determined. */
import { type Diagnostic, type Path, type Source, suggest, suggestion, type ValueRecord } from '@joust/source'
import { decidingKeys, type TargetKind } from '../options/targets.ts'

/** The kind that its keys determine. */
export function kindOf(target: ValueRecord): TargetKind {
  return kindsIn(target)[0]?.kind ?? 'none'
}

/** Why a target has no kind, or two. */
export function kindFaults(
  source: Source,
  path: Path,
  target: ValueRecord,
  fault: (source: Source, path: Path, message: string, at: 'key') => Diagnostic,
): Diagnostic[] {
  const found = kindsIn(target)
  const [first, second] = found.filter(({ kind }) => !isCompanion(kind, found))
  if (first !== undefined && second !== undefined) {
    const message = `a target is one thing, and this one has ${first.key} and ${second.key}: make it two targets`
    return [fault(source, [...path, second.key], message, 'key')]
  }
  if (found.length > 0) return []
  for (const key of Object.keys(target)) {
    // `modle` is as close to `module` as to `model`, and models are more common.
    const meant = suggest(key, ['model', ...known])
    if (meant !== undefined)
      return [{ ...fault(source, [...path, key], `unknown field "${key}"`, 'key'), ...suggestion('key', meant) }]
  }
  return [fault(source, path, `a target needs one of ${known.join(', ')}`, 'key')]
}

interface FoundKind {
  readonly kind: TargetKind
  readonly key: string
}

function kindsIn(target: ValueRecord): readonly FoundKind[] {
  return decidingKeys.flatMap(([kind, keys]) =>
    keys
      .filter((key) => Object.hasOwn(target, key))
      .map((key) => ({ kind, key }))
      .slice(0, 1),
  )
}

/** With an agent, a model replaces the agent's own; actors may be wired and listen along with any target. */
function isCompanion(kind: TargetKind, found: readonly FoundKind[]): boolean {
  if (kind === 'model') return found.some((other) => other.kind === 'agent')
  return kind === 'self-play' || kind === 'none'
}

const known = decidingKeys.flatMap(([, keys]) => keys)
