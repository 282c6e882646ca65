/** Text with positions: safe YAML and JSON, values, diagnostics. Knows no format. */
export { checkShape, type ShapeFault } from './check-shape.ts'
export { codeFrame, codeFrames, printable } from './code-frame.ts'
export { compactJson, compareCodePoints, type KeyOrder, valueToText } from './compact-json.ts'
export type { Construct } from './constructs.ts'
export { beginning, cut } from './cut.ts'
export { deepEqual, sameNumber } from './deep-equal.ts'
export { describeValue } from './describe-value.ts'
export {
  type Diagnostic,
  type DiagnosticSeverity,
  type Position,
  type Positioned,
  type Suggestion,
  sortByPosition,
} from './diagnostic.ts'
export { exactInteger } from './exact-integer.ts'
export { containsText, findText } from './find-text.ts'
export { fingerprint } from './fingerprint.ts'
export { formatText } from './format/format-text.ts'
export { invariant } from './invariant.ts'
export { jsonSchemaOf } from './json-schema.ts'
export { jsonText } from './json-text.ts'
export { defaultLimits, exceeded, type LimitExceeded, type LimitName, type Limits, withLimits } from './limits.ts'
export { unifiedDiff } from './line-diff.ts'
export type { OutlineNode } from './outline.ts'
export { editText, type TextEdit } from './patch/draft.ts'
export { type Patch, patchText } from './patch/patch-text.ts'
export { formatPath, type Path } from './path.ts'
export { readJson } from './read-json.ts'
export { type OpenSource, openSource, readSource } from './read-source.ts'
export { compileRegex, type Regex, type RegexFault, regexSyntax } from './regex.ts'
export { err, ok, type Result } from './result.ts'
export { type Choice, chosen, type Field, type ObjectShape, type Shape, shapes } from './shape.ts'
export type { Location, Source, SourceCode, SourceDiagnostic } from './source.ts'
export type { Span } from './span.ts'
export { didYouMean, messageWithHint, suggest, suggestion } from './suggest.ts'
export { type Suggest, suggestions } from './suggestions.ts'
export { NotATree, requireTree, treeFault } from './tree-fault.ts'
export {
  cloneValue,
  isInteger,
  isList,
  isNumeric,
  isRecord,
  kindOf,
  own,
  setOwn,
  toDoubles,
  type Value,
  type ValueRecord,
} from './value.ts'
export { fillVariables, type Variables } from './variables.ts'
export { writeJson } from './write-json.ts'
export { writeYaml } from './yaml.ts'
