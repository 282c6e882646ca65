/** Safe YAML and JSON with positions, values and diagnostics. Independent of document formats. */
export { formatText, withLineBreaksOf } from './format/format-text.ts'
export { compactJson, compareCodePoints, type KeyOrder, valueToText } from './json/compact-json.ts'
export { createJsonCutter, type JsonFrame } from './json/cut-json.ts'
export { exactInteger, replaceLostIntegers } from './json/exact-integer.ts'
export { type JsonMember, jsonMembers, memberText } from './json/members.ts'
export { parseJson, readExactDoubles, readJson } from './json/read-json.ts'
export { jsonText, writeJson } from './json/write-json.ts'
export {
  type Diagnostic,
  type DiagnosticSeverity,
  type Position,
  type Positioned,
  type Suggestion,
  sortByPosition,
} from './model/diagnostic.ts'
export { defaultLimits, exceeded, type LimitExceeded, type LimitName, type Limits, withLimits } from './model/limits.ts'
export { formatPath, type Path, parsePath, valueAt } from './model/path.ts'
export { err, errorCode, invariant, messageOf, ok, type Result } from './model/result.ts'
export type { Construct, Location, Source, SourceCode, SourceDiagnostic, Span } from './model/source.ts'
export {
  cloneValue,
  defined,
  isInteger,
  isList,
  isNumeric,
  isRecord,
  kindOf,
  mapScalars,
  own,
  ownList,
  ownText,
  setOwn,
  toDoubles,
  type Value,
  type ValueRecord,
} from './model/value.ts'
export { joustVersion } from './model/version.ts'
export { editText, type TextEdit } from './patch/draft.ts'
export { type Patch, patchText, putFirst } from './patch/patch-text.ts'
export { compileRegex, type Regex, type RegexFault, regexSyntax } from './regex/regex.ts'
export { checkShape, type ShapeFault, shapeDiagnostic } from './shapes/check-shape.ts'
export { jsonSchemaOf } from './shapes/json-schema.ts'
export {
  type Choice,
  chosen,
  type Field,
  type FieldsOf,
  type ObjectShape,
  type OptionalField,
  type RequiredField,
  type Shape,
  shapes,
} from './shapes/shape.ts'
export { base64Of } from './text/base64.ts'
export { codeFrames } from './text/code-frame.ts'
export { beginning, bothEnds, cut, excerpt, firstFew, splitBlock } from './text/cut.ts'
export { unescaped } from './text/escapes.ts'
export { containsText, findText } from './text/find-text.ts'
export { fingerprint } from './text/fingerprint.ts'
export { countCodePoints } from './text/length.ts'
export { lineEdits, unifiedDiff } from './text/line-diff.ts'
export { printable } from './text/printable.ts'
export { isSecretName, isSizeName, SHORTEST_SECRET } from './text/secret-names.ts'
export { beginningAtEnd, findSpellings, hideSpellings } from './text/spellings.ts'
export { didYouMean, messageWithHint, type Suggest, suggest, suggestion, suggestions } from './text/suggest.ts'
export { InvalidInput, unwrap } from './text/unwrap.ts'
export { fillVariables, type Variables, withoutVariables } from './text/variables.ts'
export { count, shellWord } from './text/words.ts'
export { deepEqual, sameNumber } from './values/deep-equal.ts'
export { describeValue } from './values/describe-value.ts'
export { checkTree, NotATree, requireTree } from './values/tree.ts'
export type { OutlineNode } from './yaml/outline.ts'
export { type OpenSource, openSource, readSource } from './yaml/read-source.ts'
export { columnOf, lineEnd, lineStart } from './yaml/scan.ts'
export { writeYaml } from './yaml/yaml.ts'
