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
      '`load` translates dialects first, which §3.5 does not define; with `strict: true` it is `parse`, `validate` and `normalize` in sequence.',
      '`normalize` and `serialize` throw for a value that cannot come from a text: circular or infinite (decision 0006).',
      '`parse` rejects `.inf` and `.nan`, which JSON cannot represent.',
      '`validate` checks the rules of §3.2. Of the requirements that only the published JSON Schema has, W-101 and W-102 warn about some; `validate` does not check that `impact`, the lists of `examples` and `framework` are not empty, nor the form of an `event`.',
    ],
    oatf('parse', 'all errors come at once, in reading order'),
    oatf('validate', 'all violations come at once, each with everything there is to know'),
    oatf('rules/content/conditions-can-match', 'W-101'),
    oatf('rules/trigger/count-positive', 'W-102'),
    oatf('properties', 'keeps the promises of SDK §3.3'),
    oatf('serialize', 'fields are in the order of the specification'),
    oatf('load', 'dialects are read first; strict is parse, validate and normalize alone'),
    oatf('hostile-values', 'normalize and serialize fail with the message of validate'),
  ),
  partly(
    '2',
    'All types of §2, as TypeScript types; `parse` returns these types only. Fields are spelled as in YAML.',
    [
      'Extension fields keep their names and positions instead of moving to an `extensions` map, and `$schema` keeps its name instead of `schema`.',
    ],
    oatf('parse', 'a document with every field is preserved'),
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
    'All primitives of §5 are exported.',
    [
      'Captured values of extractors and a state of `null` follow the official fixtures (decision 0003).',
      'A path of more than 128 names is not resolved; §5.1.2 recommends 64.',
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
    'Types for CEL evaluators, semantic evaluators and text generators. An implementation that breaks its contract causes an error, never an exception.',
    oatf('evaluate/expression', 'with any evaluator'),
    oatf('evaluate/indicator', 'evaluators that break their contract'),
  ),
  met(
    '7',
    'MUST',
    'The kinds of §7, in errors that are plain values: each has severity, code, path and, for text, line and column.',
    oatf('api', 'findings have the fields of a diagnostic'),
    oatf('parse-fields', 'wrong types'),
    oatf('evaluate/pattern', 'errors'),
  ),
  met(
    '8',
    'SHOULD',
    '`createCelEvaluator` supports all functions that §6.1 lists, with limits on steps and time.',
    oatf('adapters/cel', 'the standard functions of SDK §6.1'),
    oatf('evaluate/expression', 'with the evaluator of the SDK'),
  ),
  met(
    '9',
    'SHOULD',
    '`joust conformance DIR` runs the official suite, and all of it passes. The suite is not in this repository; `npm test` runs it if it is in the folder beside it.',
    proof('cli', 'conformance/run', 'a tree in which everything passes'),
    proof('cli', 'conformance/run', 'nothing is skipped'),
  ),
  met(
    '10',
    'MUST',
    'Of the optional parts, a CEL evaluator is included. As §6 requires, semantic evaluators and text generators are left to the caller. Everything is synchronous, except `evaluateIndicatorAsync` for semantic evaluators that are not.',
    thisPage,
    oatf('evaluate/indicator', 'evaluateIndicatorAsync'),
  ),
]

/** SDK §1.3. */
export const sdk: ItemList = { title: 'OATF SDK §1.3: an SDK', ids: numbered(10), items }
