import { describeValue, ownText, type Suggest, suggestions } from '@joust/source'
import { oatfLimits } from '../../model/limits.ts'
import { attackDocument } from '../../rules/rule.ts'
import type { LintContext, Subject } from '../context.ts'
import { nearestPath } from '../nearest.ts'
import type { LintRule } from '../rule.ts'
import { canBe, type ExaminedField, missingFields, misspelledTests, otherDirection } from '../targets.ts'
import { untranslatableIn } from './target-translatable.ts'

/** L-022 reports targets that are written for a different protocol. */
export const targetExists: LintRule = {
  summary:
    'The paths of an indicator exist in a message of its protocol, surface and direction, and its CEL functions exist.',
  check(context, report) {
    let guesses = oatfLimits.lintGuesses
    const hint = suggestions()
    const untranslatable = new Set(untranslatableIn(context.walk).map(({ path }) => path.join()))
    for (const subject of context.subjects) {
      if (subject.kinds.length === 0) {
        const fault = wrongDirection(subject, context)
        if (fault !== undefined) report([...subject.path, 'direction'], fault)
        continue
      }
      for (const examined of missing(subject, context, hint)) {
        if (untranslatable.has(examined.path.join())) continue
        const { more, correction } = guesses-- > 0 ? advice(examined, subject) : { more: '' }
        report(examined.path, `no ${messageOf(subject)} has ${describeValue(examined.shown)}${more}`, { correction })
      }
      for (const name of unknownVariables(subject)) {
        const advice = 'use "message", or declare it under "variables"'
        report([...subject.path, 'expression', 'cel'], `unknown variable ${describeValue(name)}; ${advice}`)
      }
      for (const name of unknownFunctions(subject, context)) {
        const fault = `unknown CEL function ${describeValue(name)}.`
        report([...subject.path, 'expression', 'cel'], fault, { part: name, correction: hint(name, CEL_FUNCTIONS) })
      }
    }
  },
  good: attackDocument(`
    mode: mcp_client
    state:
      actions:
        - { method: tools/call, params: { name: read_file, arguments: { path: ~/.netrc } } }
  indicators:
    - surface: tools/call
      direction: response
      target: content[*].text
      pattern: { contains: token }
`),
  mistake: ['target: content[*].text', 'target: response.content'],
  path: 'attack.indicators[0].target',
}

function wrongDirection(subject: Subject, context: LintContext): string | undefined {
  const direction = ownText(subject.value, 'direction')
  const surface = ownText(subject.value, 'surface')
  const other = otherDirection(subject, context)
  if (surface === undefined || other === undefined) return undefined
  return `${describeValue(surface)} has no ${direction}; set direction: ${other}`
}

/** Reports paths that no message can have. Skips paths below a reported path. */
function missing(subject: Subject, context: LintContext, hint: Suggest): readonly ExaminedField[] {
  const reported = new Set<string>()
  return [...missingFields(subject, context), ...misspelledTests(subject, context, hint)].filter((examined) => {
    const prefix = examined.steps.findIndex(
      (_, index) => !canBe({ ...examined, steps: examined.steps.slice(0, index + 1) }, subject, context),
    )
    if (prefix < 0) return false
    const key = `${examined.path.join()}:${JSON.stringify(examined.steps.slice(0, prefix + 1))}`
    return !reported.has(key) && reported.add(key)
  })
}

function messageOf({ value, protocol }: Subject): string {
  return `${ownText(value, 'surface') ?? protocol} ${ownText(value, 'direction') ?? 'message'}`
}

/** Returns the likely correction. Only the target of an indicator with a surface can be replaced directly. */
function advice(
  { shown, form }: ExaminedField,
  { kinds, value }: Subject,
): { readonly more: string; readonly correction?: string } {
  const scoped = ownText(value, 'surface') !== undefined
  const nearest = nearestPath(shown, kinds, scoped)
  if (nearest === undefined) return { more: '' }
  if (scoped && form === 'target') return { more: '', correction: nearest.path }
  const where = scoped ? '' : ` (${nearest.surface})`
  if (form !== 'variable' || !nearest.path.includes('[*]'))
    return { more: `; the nearest path is "${nearest.path}"${where}` }
  const [entry] = nearest.path.split('[*]')
  return { more: `; a variable cannot select from the list "${entry}"${where}, use CEL instead` }
}

/** Returns the undeclared variables, except type names and `google`, which the evaluator defines. */
function unknownVariables({ reads, variables }: Subject): ReadonlySet<string> {
  const roots = reads.map(({ root }) => root)
  return new Set(roots.filter((root) => root !== 'message' && !variables.has(root) && !CEL_NAMES.has(root)))
}

function unknownFunctions({ expression }: Subject, { cel, limits }: LintContext): readonly string[] {
  const source = ownText(expression, 'cel')
  return source === undefined ? [] : (cel?.unknownFunctions(source, limits) ?? [])
}

const CEL_FUNCTIONS = 'has size contains startsWith endsWith matches all exists exists_one filter map int string'.split(
  ' ',
)

const CEL_NAMES = new Set(
  'bool int uint double string bytes list map null_type type timestamp duration dyn google'.split(' '),
)
