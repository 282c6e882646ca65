/** Determines the kind of a target in the project file. */
import { type Diagnostic, type Path, type Source, suggest, suggestion, type ValueRecord } from '@joust/source'
import { decidingKeys, type TargetKind } from '../options/targets.ts'

export function kindOf(target: ValueRecord): TargetKind {
  return kindsIn(target)[0]?.kind ?? 'none'
}

/** Returns an error if a target has no kind or several kinds. */
export function kindFaults(
  source: Source,
  path: Path,
  target: ValueRecord,
  fault: (source: Source, path: Path, message: string, at: 'key') => Diagnostic,
): Diagnostic[] {
  const kinds = kindsIn(target)
  const [first, second] = kinds.filter(({ kind }) => !isCompanion(kind, kinds))
  if (first !== undefined && second !== undefined) {
    const message = `a target cannot have both ${first.key} and ${second.key}; split it into two targets`
    return [fault(source, [...path, second.key], message, 'key')]
  }
  if (kinds.length > 0) return []
  if (Object.hasOwn(target, 'serve'))
    return [
      fault(source, [...path, 'serve'], 'serve starts the agent; add http, ag_ui, a2a or mcp to attack it', 'key'),
    ]
  for (const key of Object.keys(target)) {
    // `modle` is as close to `module` as to `model`, and models are more common.
    const nearest = suggest(key, ['model', ...kindKeys])
    if (nearest !== undefined)
      return [{ ...fault(source, [...path, key], `unknown field "${key}"`, 'key'), ...suggestion('key', nearest) }]
  }
  return [fault(source, path, `a target needs one of ${kindKeys.join(', ')}`, 'key')]
}

interface FoundKind {
  readonly kind: TargetKind
  readonly key: string
}

function kindsIn(target: ValueRecord): readonly FoundKind[] {
  return decidingKeys.flatMap(([kind, keys]) => {
    const key = keys.find((one) => Object.hasOwn(target, one))
    return key === undefined ? [] : [{ kind, key }]
  })
}

/** True for keys that can be combined with another kind: `model` with an agent, `wire` and `listen` with any target. */
function isCompanion(kind: TargetKind, found: readonly FoundKind[]): boolean {
  if (kind === 'model') return found.some((other) => other.kind === 'agent')
  return kind === 'self-play' || kind === 'none'
}

const kindKeys = decidingKeys.flatMap(([, keys]) => keys)
