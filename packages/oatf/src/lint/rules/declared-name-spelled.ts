import {
  describeValue,
  isList,
  isRecord,
  own,
  ownText,
  type Path,
  type Suggest,
  suggestions,
  type Value,
} from '@joust/source'
import { literalsOf } from '../../exposure/guess.ts'
import { paymentDocument } from '../../rules/rule.ts'
import { actorsFor } from '../../traffic/message-kinds.ts'
import type { Walk } from '../../walk/walk.ts'
import type { LintContext, Subject } from '../context.ts'
import { type DeclaredNames, declaredNames, partsOf } from '../declared-names.ts'
import type { LintRule } from '../rule.ts'
import { examinedFields } from '../targets.ts'

/**
 * Names must be spelled as the document declares them. Names that occur elsewhere in a state are not reported, because
 * the agent may have read them there.
 */
export const declaredNameSpelled: LintRule = {
  summary: 'Tools, arguments and markers in indicators and predicates are spelled as in the rest of the document.',
  check(context, report) {
    const declared = declaredNames(context.walk)
    const hint = suggestions()
    for (const { kind, name, path, at } of examinedNames(context)) {
      const correction = correctionFor(name, kind, declared, hint)
      const noun = kind === 'tools' ? 'tool' : 'argument'
      const fault = `unknown ${noun} ${describeValue(name)}.`
      if (correction !== undefined) report(path, fault, { ...(at === undefined ? {} : { at }), part: name, correction })
    }
    for (const subject of context.subjects) {
      for (const [mark, correction] of misspelledMarks(subject, declared, hint)) {
        const fault = `possible typo: the attack sends ${describeValue(correction)}, but never ${describeValue(mark)}`
        report(subject.path, fault)
      }
    }
  },
  good: paymentDocument,
  mistake: ['arguments.recipient', 'arguments.recipent'],
  path: 'attack.indicators[0].target',
}

function correctionFor(
  name: string,
  kind: ExaminedName['kind'],
  declared: DeclaredNames,
  hint: Suggest,
): string | undefined {
  const correction =
    name.length < SHORTEST - 1 || declared.words.has(name) ? undefined : hint(name, declared[kind], MOST_EDITS)
  return correction === undefined || Math.max(name.length, correction.length) < SHORTEST ? undefined : correction
}

/** Creates a function that returns true for an undeclared argument that this rule reports. */
export function isMisspelledArgument({ walk }: LintContext, hint: Suggest): (name: string) => boolean {
  const declared = declaredNames(walk)
  return (name) => correctionFor(name, 'arguments', declared, hint) !== undefined
}

/** Minimum length of a checked name. Shorter names may differ by one letter on purpose: `cc` and `bcc`. */
const SHORTEST = 4
const MOST_EDITS = 1

/** Returns misspelled markers in an indicator, with corrections; empty if the indicator may match a different text. */
export function misspelledMarks(subject: Subject, declared: DeclaredNames, hint: Suggest): ReadonlyMap<string, string> {
  const marks = [...declared.words].filter(isMark)
  const texts = literalsOf({ indicators: [subject] }).map(partsOf)
  const typos = new Map<string, string>()
  for (const mark of new Set(texts.flat().filter(isMark))) {
    const correction = hint(mark, marks, MOST_EDITS)
    if (correction !== undefined && isTypo(mark, correction) && !marks.some((one) => one.includes(mark)))
      typos.set(mark, correction)
  }
  // If a different text may match, different spellings are variants.
  const isPlain = (part: string) => subject.expression === undefined && declared.words.has(part)
  const others = texts.filter((parts) => !parts.some((part) => typos.has(part)))
  return others.some((parts) => parts.some(isMark) || parts.every(isPlain)) ? new Map() : typos
}

/** True for a unique marker with letters and digits, such as `heron-551`. Ordinary words have several forms. */
function isMark(word: string): boolean {
  return /^(?=.*[a-z])(?=.*\d)[\w@.:/-]{6,}$/i.test(word)
}

/**
 * True if one name is likely a typo of the other. Digits must be identical; punctuation, case, word endings and file
 * extensions may differ on purpose.
 */
function isTypo(mark: string, correction: string): boolean {
  const words = [mark, correction].map((word) => word.toLowerCase().replace(/\.[a-z]{1,4}$/, ''))
  const [one = '', other = ''] = words.map((word) => word.replaceAll(/[^a-z\d]/g, ''))
  return one.replaceAll(/\D/g, '') === other.replaceAll(/\D/g, '') && !one.startsWith(other) && !other.startsWith(one)
}

interface ExaminedName {
  readonly kind: 'tools' | 'arguments'
  readonly name: string
  readonly path: Path
  readonly at?: 'key'
}

function examinedNames(context: LintContext): readonly ExaminedName[] {
  const { walk, subjects } = context
  return [...subjects.filter((subject) => examinesDeclared(subject, walk)).flatMap(ofIndicator), ...ofPredicates(walk)]
}

function examinesDeclared(subject: Subject, walk: Walk): boolean {
  const surface = ownText(subject.value, 'surface')
  if (subject.protocol === 'ag_ui') return surface?.startsWith('tool_call_') === true
  const actors = actorsFor(walk, subject)
  return surface === 'tools/call' && actors.length > 0 && actors.every(({ mode }) => mode === 'mcp_server')
}

function ofIndicator(subject: Subject): readonly ExaminedName[] {
  const examined = examinedFields(subject)
  const inner = examined.flatMap(({ steps: [holder, name], path }): ExaminedName[] =>
    isField(holder, HOLDERS) && name !== undefined && name !== 'each'
      ? [{ kind: 'arguments', name: name.field, path }]
      : [],
  )
  const cel = ownText(subject.expression, 'cel')
  if (cel !== undefined) return [...inner, ...namesInCel(cel, [...subject.path, 'expression', 'cel'])]
  const pattern = own(subject.value, 'pattern')
  const isName = examined.length === 1 && examined[0]?.steps.length === 1 && isField(examined[0].steps[0], NAMES)
  if (!isRecord(pattern) || !isName) return inner
  const condition = own(pattern, 'condition')
  const path = [...subject.path, 'pattern']
  return [...inner, ...(condition === undefined ? namesIn(pattern, path) : namesIn(condition, [...path, 'condition']))]
}

const HOLDERS = ['arguments', '_arguments']
const NAMES = ['name', 'toolCallName']

function isField(step: 'each' | { readonly field: string } | undefined, names: readonly string[]): boolean {
  return step !== undefined && step !== 'each' && names.includes(step.field)
}

function namesIn(condition: Value, path: Path): readonly ExaminedName[] {
  if (typeof condition === 'string') return [{ kind: 'tools', name: condition, path }]
  const choices = own(condition, 'any_of')
  return isList(choices) ? choices.flatMap((choice, index) => namesIn(choice, [...path, 'any_of', index])) : []
}

function namesInCel(cel: string, path: Path): readonly ExaminedName[] {
  const equals = /\b(?:name|toolCallName)\s*==\s*(?:"([^"\\]+)"|'([^'\\]+)')/g
  return [...cel.matchAll(equals)].map((match) => ({ kind: 'tools', name: match[1] ?? match[2] ?? '', path }))
}

function ofPredicates({ predicates, phases }: Walk): readonly ExaminedName[] {
  return predicates.flatMap(({ path, value }) => {
    const phase = phases.find((one) => one.path.every((step, index) => step === path[index]))
    if (phase?.mode !== 'mcp_server' && phase?.mode !== 'ag_ui_client') return []
    return Object.entries(value).flatMap(([key, condition]) => {
      const [holder, name] = key.split('.')
      if (NAMES.includes(key)) return namesIn(condition, [...path, key])
      if (name === undefined || !HOLDERS.includes(holder ?? '')) return []
      return [{ kind: 'arguments' as const, name, path: [...path, key], at: 'key' as const }]
    })
  })
}
