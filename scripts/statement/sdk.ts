/** OATF SDK specification 0.1, §1.3: the obligations of an SDK. */
import { type Item, type ItemList, numbered, proof, thisPage } from './item.ts'

const oatf = (file: string, title: string) => proof('oatf', file, title)
const primitive = (file: string, title: string) => oatf(`primitives/${file}`, title)
const met = (id: string, strength: Item['strength'], says: string, ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength, met: 'yes', says, shownBy },
})
const partly = (id: string, says: string, exceptions: readonly string[], ...shownBy: Item['shownBy']): Item => ({
  ...{ id, strength: 'MUST', met: 'partly', says, exceptions, shownBy },
})

const items: readonly Item[] = [
  partly(
    '1',
    'All entry points of §3: `parse`, `validate`, `normalize`, `serialize` and `load`. `normalize` copies.',
    [
      '`load` reads dialects first (§3.5 has none); with `strict: true` it is `parse`, `validate` and `normalize` in a row.',
      '`normalize` and `serialize` throw for a value that no text can bring about: one that contains itself or never ends (decision 0006).',
      '`parse` refuses `.inf` and `.nan`, which have no JSON form.',
      '`validate` knows the rules of §3.2. Of what only the published JSON Schema asks for, W-101 and W-102 warn; that `impact`, the lists of `examples` and `framework` are not empty, and the form of an `event`, are left to the schema.',
    ],
    oatf('parse', 'all errors come at once, in reading order'),
    oatf('validate', 'all violations come at once, each with everything there is to know'),
    oatf('rules/content/conditions-can-match', 'W-101'),
    oatf('rules/trigger/count-positive', 'W-102'),
    oatf('properties', 'keeps the promises of SDK §3.3'),
    oatf('serialize', 'fields stand in the order of the specification'),
    oatf('load', 'dialects are read first; strict is parse, validate and normalize alone'),
    oatf('hostile-values', 'normalize and serialize answer with an error that says what validate says'),
  ),
  partly(
    '2',
    'All types of §2, as TypeScript types; `parse` gives nothing else. Fields are spelled as in YAML.',
    [
      'Extension fields stay under their own names where they were written, and `$schema` is not called `schema`: there is no `extensions` map.',
    ],
    oatf('parse', 'one with every field comes back whole'),
    oatf('normalize', 'extensions stay where they were'),
    oatf('api', 'the names of @joust/oatf'),
  ),
  met('3', 'MUST', '`evaluatePattern`, in both forms of a pattern.', oatf('evaluate/pattern', 'evaluatePattern')),
  met(
    '4',
    'MUST',
    '`computeVerdict`, with `any` and `all`, the summary, and `max_tier` beside it (decision 0002).',
    oatf('evaluate/verdict', 'attack-level results'),
    oatf('evaluate/verdict', 'counts every indicator once, those without a verdict as skipped'),
  ),
  partly(
    '5',
    'All primitives of §5, and all are exported.',
    [
      'What an extractor captures, and a state of `null`, are as the official fixtures have them (decision 0003).',
      'A path of more than 128 names is not followed; §5.1.2 recommends 64.',
    ],
    primitive('resolve-simple-path', 'resolveSimplePath'),
    primitive('resolve-wildcard-path', 'resolveWildcardPath'),
    primitive('parse-duration', 'parseDuration'),
    primitive('evaluate-condition', 'string operators'),
    primitive('evaluate-predicate', 'evaluatePredicate'),
    primitive('interpolate-template', 'inserted values are not interpolated again'),
    primitive('interpolate-value', 'interpolateValue'),
    primitive('evaluate-extractor', 'json_path'),
    primitive('select-response', 'selectResponse'),
    primitive('evaluate-trigger', 'only events that fit in type and content are counted'),
    primitive('compute-effective-state', 'a state of null is not a state'),
  ),
  met(
    '6',
    'MUST',
    'Types for evaluators of CEL and of meaning, and for what generates text. One that breaks its contract gives an error, never an accident.',
    oatf('evaluate/expression', 'with any evaluator'),
    oatf('evaluate/indicator', 'evaluators that break their contract'),
  ),
  met(
    '7',
    'MUST',
    'The kinds of §7, in errors that are plain values: severity, code, path and, for text, line and column come with each.',
    oatf('api', 'findings have the fields of a diagnostic'),
    oatf('parse-fields', 'wrong types'),
    oatf('evaluate/pattern', 'errors'),
  ),
  met(
    '8',
    'SHOULD',
    '`createCelEvaluator` has all the functions that §6.1 lists, within a budget of steps and time.',
    oatf('adapters/cel', 'the standard functions of SDK §6.1'),
    oatf('evaluate/expression', 'with the evaluator of the SDK'),
  ),
  met(
    '9',
    'SHOULD',
    '`joust conformance DIR` runs the official suite, and all of it passes. It is not in this repository; where it lies beside it, `npm test` runs it.',
    proof('cli', 'conformance/run', 'a tree in which everything passes'),
    proof('cli', 'conformance/run', 'nothing is skipped'),
  ),
  met(
    '10',
    'MUST',
    'Of what is optional, there is an evaluator of CEL. There is none of meaning and nothing that generates text, as §6 demands: both are up to the caller. Everything is synchronous; `evaluateIndicatorAsync` is for evaluators of meaning that are not.',
    thisPage,
    oatf('evaluate/indicator', 'evaluateIndicatorAsync'),
  ),
]

/** SDK §1.3. */
export const sdk: ItemList = { title: 'OATF SDK §1.3: an SDK', ids: numbered(10), items }
