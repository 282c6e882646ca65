/** The result of `load`: a validated and normalized attack. */
import {
  cloneValue,
  type Diagnostic,
  defined,
  fingerprint,
  formatPath,
  type Limits,
  type Location,
  own,
  type Path,
  type Result,
  type Source,
  writeJson,
} from '@joust/source'
import type { RunTranslateOptions } from './dialects/translate.ts'
import { compilePattern } from './evaluate/pattern.ts'
import { type Plants, plantsIn } from './exposure/bait.ts'
import { lintContext } from './lint/context.ts'
import { deadIndicators, defectsIn, unknownSurfaceIndicators } from './lint/defects.ts'
import { runLint } from './lint/run.ts'
import { lintTable } from './lint/table.ts'
import type { Document } from './model/document.ts'
import type { Libraries, PatternProgram } from './model/evaluators.ts'
import type { NormalAttack, NormalDocument } from './model/normal.ts'
import { normalForm } from './normalize.ts'
import type { ParseOptions } from './parse.ts'
import { locate, suggestionOf } from './rules/run.ts'
import { type Syntax, syntaxOf } from './rules/syntax.ts'
import { TASK, taskExecution, taskFaults } from './rules/task.ts'
import type { Draft } from './steps/step.ts'
import { stepTable } from './steps/table.ts'
import type { Walk } from './walk/walk.ts'

/**
 * Options for `load`. If `strict` is set, dialects are reported but not translated.
 *
 * @example
 * const attack = unwrap(load(text, { strict: true }), text)
 */
export interface LoadOptions extends ParseOptions, RunTranslateOptions {}

/**
 * An attack that can be run and evaluated.
 *
 * @example
 * const { document, warnings } = unwrap(load(text), text)
 * const ids: readonly string[] = (document.attack.indicators ?? []).map(({ id }) => id)
 */
export interface LoadedAttack {
  readonly text: string
  /** The document in normal form. */
  readonly document: NormalDocument
  /** The document as written, with the author's paths. */
  readonly written: Document
  readonly warnings: readonly Diagnostic[]
  /** A hash that identifies this version of the document. */
  readonly fingerprint: string
  /**
   * The attack without dialect readings, for the verdict of [OATF §9](https://oatf.io/specification/verdict-model/);
   * absent if no term was reinterpreted.
   */
  readonly unread?: NormalAttack | undefined
  /** The attack with the indicators of its task (`x-joust-task`) in place of its own, or the errors of the task. */
  readonly task?: Result<NormalAttack, readonly Diagnostic[]> | undefined
  /** The compiled patterns of the indicators in the attack and its task, shared by all judges. */
  readonly patterns: ReadonlyMap<object, PatternProgram>
  /** The planted items and the baits. */
  readonly plants: Plants
  /** Every element of the document as written. */
  readonly walk: Walk
  /** The document before dialects are translated, and the options for loading it. */
  readonly source: Source
  readonly options: LoadOptions
  /** Advice beyond conformance, sorted by position. */
  readonly lint: readonly Diagnostic[]
  /**
   * Mistakes that weaken the attack, one sentence each. An agent that resists such an attack has not been tested
   * properly.
   */
  readonly defects: readonly string[]
  /** The positions of indicators that no message can match. */
  readonly deadIndicators: readonly number[]
  /** The positions of indicators with a surface that the binding does not define. */
  readonly unknownSurfaceIndicators: readonly number[]
  /** Returns the location of a path in the text as written. */
  locate(path: Path): Location | undefined
}

interface ValidAttack extends Pick<LoadedAttack, 'text' | 'written' | 'warnings' | 'walk' | 'source' | 'options'> {
  readonly unread: NormalAttack | undefined
  /** An attack that differs from the result only in its tokens. The result has the same fingerprint and findings. */
  readonly like?: LoadedAttack | undefined
}

export function loadedAttack(
  { unread, like, ...valid }: ValidAttack,
  libraries: Libraries,
  limits: Limits,
): LoadedAttack {
  const { written, walk } = valid
  const hasTask = own(walk.attack, TASK) !== undefined
  const base = lazily(
    { ...valid, locate: (path: Path) => walk.source?.locate(path) },
    { document: () => normalForm(written) },
  )
  const normal = lazily(base, {
    ...(hasTask && { task: () => taskOf(walk, base.document, syntaxOf(libraries, limits)) }),
    ...(unread && { unread: () => (isJudgedAlike(unread, base.document.attack) ? undefined : unread) }),
  })
  const judged = () => {
    const { document, task } = normal
    return [document.attack, ...(unread ? [unread] : []), ...(task?.ok === true ? [task.value] : [])]
  }
  const lintInput = lazily({}, { context: () => lintContext(walk, libraries.cel, limits) })
  const withLint = lazily(normal, { lint: () => like?.lint ?? runLint(lintTable, lintInput.context) })
  return lazily(withLint, {
    fingerprint: () => like?.fingerprint ?? fingerprint(writeJson(base.document)),
    patterns: () => patternsOf(judged(), limits),
    plants: () => plantsIn(walk),
    defects: () => like?.defects ?? defectsIn(withLint.lint, valid.warnings),
    deadIndicators: () => like?.deadIndicators ?? deadIndicators(lintInput.context),
    unknownSurfaceIndicators: () => like?.unknownSurfaceIndicators ?? unknownSurfaceIndicators(lintInput.context),
  })
}

function lazily<T extends object, L extends object>(base: T, parts: { readonly [K in keyof L]: () => L[K] }): T & L {
  for (const [key, compute] of Object.entries<() => unknown>(parts)) {
    let result: { readonly value: unknown } | undefined
    const get = () => {
      result ??= { value: compute() }
      return result.value
    }
    Object.defineProperty(base, key, { get, enumerable: true })
  }
  // All parts were added above.
  return base as T & L
}

function isJudgedAlike(a: NormalAttack, b: NormalAttack): boolean {
  const judged = ({ indicators, correlation }: NormalAttack) => writeJson({ indicators, correlation })
  return judged(a) === judged(b)
}

function patternsOf(attacks: readonly NormalAttack[], limits: Limits): ReadonlyMap<object, PatternProgram> {
  const indicators = attacks.flatMap((attack) => attack.indicators ?? [])
  return new Map(
    indicators.flatMap((indicator) => {
      const { pattern, target } = indicator
      return pattern === undefined ? [] : [[indicator, compilePattern(pattern, target, limits)] as const]
    }),
  )
}

function taskOf(walk: Walk, { attack }: NormalDocument, syntax: Syntax): LoadedAttack['task'] {
  const task = own(walk.attack, TASK)
  const faults = taskFaults(walk, syntax).map(({ path, message, options }): Diagnostic => {
    const where = { path: formatPath(path), ...locate(walk, path, options.at) }
    return { severity: 'error', code: 'task-malformed', spec_ref: '§10.3', message, ...suggestionOf(options), ...where }
  })
  if (faults.length > 0) return { ok: false, error: faults }
  // A valid task has two fields, which are normalized like those of an attack.
  const { id } = attack
  const { mode } = taskExecution(walk)
  const draft = { attack: { ...(id && { id }), execution: defined({ mode }), ...cloneValue(task as object) } }
  for (const step of stepTable) step.apply(draft as Draft)
  const { indicators, correlation } = draft.attack as Partial<NormalAttack>
  const { [TASK]: _, indicators: __, correlation: ___, ...rest } = attack
  return { ok: true, value: { ...rest, ...(indicators && { indicators }), ...(correlation && { correlation }) } }
}
