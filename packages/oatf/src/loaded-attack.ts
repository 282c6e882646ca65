/** What `load` returns: an attack that has been read, checked and normalized, once for everybody who needs it. */
import {
  cloneValue,
  type Diagnostic,
  fingerprint,
  formatPath,
  type Limits,
  type Location,
  type Path,
  type Result,
  type Source,
  writeJson,
} from '@joust/source'
import { compilePattern } from './evaluate/pattern.ts'
import { type Plants, plantsIn } from './exposure/bait.ts'
import type { Document, NormalAttack, NormalDocument } from './model/document.ts'
import type { PatternProgram } from './model/evaluators.ts'
import { originOf } from './model/origin.ts'
import { normalForm } from './normalize.ts'
import { shape } from './parse.ts'
import { locate, runRules, suggested } from './rules/run.ts'
import { type SyntaxCheckers, syntaxOf } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'
import { TASK, taskExecution, taskFaults } from './rules/task.ts'
import { walkDocument } from './rules/walk.ts'
import type { Draft } from './steps/step.ts'
import { stepTable } from './steps/table.ts'

/** An attack that can be run and judged. */
export interface LoadedAttack {
  readonly text: string
  /** In normal form. */
  readonly document: NormalDocument
  /** As written; its paths are the ones that the author knows. */
  readonly written: Document
  readonly warnings: readonly Diagnostic[]
  /** Changes when the document does. */
  readonly fingerprint: string
  /** The attack without its dialect readings, which a verdict of OATF §9 is about; absent where it has none. */
  readonly unread?: NormalAttack
  /** The attack with the indicators of its task (`x-joust-task`) in place of its own, or what is wrong with them. */
  readonly task?: Result<NormalAttack, readonly Diagnostic[]>
  /** The patterns of its indicators and of its task, compiled once for every judge. */
  readonly patterns: ReadonlyMap<object, PatternProgram>
  /** What the attacker wrote, and the part of it that the agent is to fall for. */
  readonly plants: Plants
  /** Where the value of a path is in the written text. */
  locate(path: Path): Location | undefined
}

/** The attack with its indicators as written; undefined when they are not valid, so that only the reading can be judged. */
export function unreadAttack(source: Source, checkers: SyntaxCheckers, limits: Limits): NormalAttack | undefined {
  const parsed = shape(source)
  if (!parsed.ok || runRules(ruleTable, parsed.value, checkers, limits).errors.length > 0) return undefined
  // Valid and normalized, which is what the brand says.
  return (normalForm(parsed.value) as NormalDocument).attack
}

interface ValidAttack extends Pick<LoadedAttack, 'text' | 'written' | 'warnings'> {
  readonly unread: NormalAttack | undefined
}

/** Completes the loading of a valid document. */
export function loadedAttack(
  { text, written, warnings, unread }: ValidAttack,
  checkers: SyntaxCheckers,
  limits: Limits,
): LoadedAttack {
  // Valid and normalized, which is what the brand says.
  const document = normalForm(written) as NormalDocument
  const task = taskOf(written, document, checkers, limits)
  let known: string | undefined
  let plants: Plants | undefined
  let patterns: ReadonlyMap<object, PatternProgram> | undefined
  return {
    text,
    document,
    written,
    warnings,
    get fingerprint() {
      known ??= fingerprint(writeJson(document))
      return known
    },
    get patterns() {
      const attacks = [document.attack, ...(unread ? [unread] : []), ...(task?.ok === true ? [task.value] : [])]
      patterns ??= patternsOf(attacks, limits)
      return patterns
    },
    get plants() {
      plants ??= plantsIn(walkDocument(written, syntaxOf(checkers, limits)))
      return plants
    },
    ...(task === undefined ? {} : { task }),
    ...(unread === undefined || isJudgedAlike(unread, document.attack) ? {} : { unread }),
    locate: (path) => originOf(written)?.locate(path),
  }
}

/** True when two readings of an attack look for the same things. */
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

function taskOf(
  written: Document,
  { attack }: NormalDocument,
  checkers: SyntaxCheckers,
  limits: Limits,
): LoadedAttack['task'] {
  const given = written.attack[TASK]
  if (given === undefined) return undefined
  const walk = walkDocument(written, syntaxOf(checkers, limits))
  const faults = taskFaults(walk).map(({ path, message, options }): Diagnostic => {
    const where = { path: formatPath(path), ...locate(walk, path, options.at) }
    return { severity: 'error', code: 'task-malformed', spec_ref: '§10.3', message, ...suggested(options), ...where }
  })
  if (faults.length > 0) return { ok: false, error: faults }
  // A task without faults has two fields, which are normalized like those of an attack.
  const { id } = attack
  const { mode } = taskExecution(walk)
  const draft = {
    attack: { ...(id && { id }), execution: mode === undefined ? {} : { mode }, ...cloneValue(given as object) },
  }
  for (const step of stepTable) step.apply(draft as Draft)
  const { indicators, correlation } = draft.attack as Partial<NormalAttack>
  const { [TASK]: _, indicators: __, correlation: ___, ...rest } = attack
  return { ok: true, value: { ...rest, ...(indicators && { indicators }), ...(correlation && { correlation }) } }
}
