import { describeValue, ownText, type Suggest, suggestions } from '@joust/source'
import type { CelStep } from '../../model/evaluators.ts'
import { oatfLimits } from '../../model/limits.ts'
import { attackDocument } from '../../rules/rule.ts'
import type { LintContext, Subject } from '../context.ts'
import { nearestPath } from '../nearest.ts'
import type { LintRule } from '../rule.ts'
import { canBe, type Look, missingLooks, misspelledTests, otherDirection } from '../targets.ts'
import { meaninglessIn } from './target-has-meaning.ts'

/** What an indicator looks at is in a message that it is shown (L-001); words of another protocol are up to L-022. */
export const targetExists: LintRule = {
  summary:
    'What an indicator looks at is in some message of its protocol, surface and direction, by functions that exist.',
  check(context, report) {
    let guesses = oatfLimits.lintGuesses
    const hint = suggestions()
    const meaningless = new Set(meaninglessIn(context.walk).map(({ path }) => path.join()))
    for (const subject of context.subjects) {
      if (subject.kinds.length === 0) {
        const fault = wrongDirection(subject, context)
        if (fault !== undefined) report([...subject.path, 'direction'], fault)
        continue
      }
      for (const look of missing(subject, context, hint)) {
        if (meaningless.has(look.path.join())) continue
        const { more, meant } = guesses-- > 0 ? advice(look, subject) : { more: '' }
        report(look.path, `no ${whose(subject)} has ${describeValue(look.shown)}${more}`, { meant })
      }
      for (const name of unknownVariables(subject)) {
        const names = 'the message is "message", and "variables" gives names to parts of it'
        report([...subject.path, 'expression', 'cel'], `there is no variable ${describeValue(name)}: ${names}`)
      }
      for (const name of unknownFunctions(subject, context)) {
        const fault = `CEL has no function ${describeValue(name)}.`
        report([...subject.path, 'expression', 'cel'], fault, { part: name, meant: hint(name, CEL_FUNCTIONS) })
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

/** A known operation that never goes in this direction. */
function wrongDirection(subject: Subject, context: LintContext): string | undefined {
  const direction = ownText(subject.value, 'direction')
  const surface = ownText(subject.value, 'surface')
  const other = otherDirection(subject, context)
  if (surface === undefined || other === undefined) return undefined
  return `${describeValue(surface)} is never a ${direction}, only a ${other}`
}

/** What does not exist anywhere, each part once: below it there is nothing either. */
function missing(subject: Subject, context: LintContext, hint: Suggest): readonly Look[] {
  const reported = new Set<string>()
  return [...missingLooks(subject, context), ...misspelledTests(subject, context, hint)].filter((look) => {
    const prefix = look.steps.findIndex(
      (_, index) => !canBe(cut(look, look.steps.slice(0, index + 1)), subject, context),
    )
    if (prefix < 0) return false
    const key = `${look.path.join()}:${JSON.stringify(look.steps.slice(0, prefix + 1))}`
    return !reported.has(key) && reported.add(key)
  })
}

function cut(look: Look, steps: readonly CelStep[]): Look {
  return { ...look, steps }
}

function whose({ value, protocol }: Subject): string {
  const direction = ownText(value, 'direction')
  const surface = ownText(value, 'surface')
  if (surface === undefined) return `${direction ?? 'message'} of ${protocol}`
  return direction === undefined ? `message of ${surface}` : `${surface} ${direction}`
}

/** What was probably meant. It can replace only a target, and only where the indicator names a surface. */
function advice({ shown, form }: Look, { kinds, value }: Subject): { readonly more: string; readonly meant?: string } {
  const scoped = ownText(value, 'surface') !== undefined
  const nearest = nearestPath(shown, kinds, scoped)
  if (nearest === undefined) return { more: '' }
  if (scoped && form === 'target') return { more: '', meant: nearest.path }
  const where = scoped ? '' : ` (${nearest.surface})`
  if (form !== 'variable' || !nearest.path.includes('[*]'))
    return { more: `; the nearest path is "${nearest.path}"${where}` }
  const [entry] = nearest.path.split('[*]')
  return { more: `; a variable cannot enter the list "${entry}"${where}, CEL can` }
}

/** Names that the evaluator does not know; it does know types, and the package of the well-known ones. */
function unknownVariables({ reads, variables }: Subject): ReadonlySet<string> {
  const roots = reads.map(({ root }) => root)
  return new Set(roots.filter((root) => root !== 'message' && !variables.has(root) && !CEL_NAMES.has(root)))
}

function unknownFunctions({ expression }: Subject, { cel, limits }: LintContext): readonly string[] {
  const source = ownText(expression, 'cel')
  return source === undefined ? [] : (cel?.unknownFunctions(source, limits) ?? [])
}

/** Those that conditions need most. */
const CEL_FUNCTIONS = 'has size contains startsWith endsWith matches all exists exists_one filter map int string'.split(
  ' ',
)

const CEL_NAMES = new Set(
  'bool int uint double string bytes list map null_type type timestamp duration dyn google'.split(' '),
)
