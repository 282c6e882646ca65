/** Text with positions: safe YAML and JSON, values, diagnostics. Knows no format. */
export { codeFrame, printable } from './code-frame.ts'
export { compactJson, compareCodePoints, type KeyOrder, valueToText } from './compact-json.ts'
export type { Construct } from './constructs.ts'
export { deepEqual } from './deep-equal.ts'
export {
  type Diagnostic,
  type DiagnosticSeverity,
  type Position,
  type Positioned,
  sortByPosition,
} from './diagnostic.ts'
export { invariant } from './invariant.ts'
export { defaultLimits, exceeded, type LimitExceeded, type LimitName, type Limits, withLimits } from './limits.ts'
export { formatPath, type Path } from './path.ts'
export { readJson } from './read-json.ts'
export { type Location, readSource, type Source, type SourceCode, type SourceDiagnostic } from './read-source.ts'
export { compileRegex, type Regex, type RegexFault, regexSyntax, type Span } from './regex.ts'
export { err, ok, type Result } from './result.ts'
export { didYouMean, suggest } from './suggest.ts'
export { cloneValue, isList, isRecord, kindOf, own, setOwn, type Value, type ValueRecord } from './value.ts'
export { writeYaml } from './yaml.ts'
