/** The options of `report`, `diff`, `coverage`, `evaluate` and `prove`. */
import { benchmarkNames, reportFormatNames } from '@joust/report/formats'
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, commaSeparated, path, patterns, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const reportOptions = {
  format: option({ short: 'f', value: commaSeparated('formats', reportFormatNames), default: ['md'], help: 'output formats, separated by commas' }),
  out: option({ short: 'o', value: text('folder'), default: undefined, help: 'write files into this folder' }),
  as: option({ value: choice('benchmark', benchmarkNames), default: undefined, conflicts: ['format', 'out'], help: 'print the metrics of this benchmark, whose cases were imported and run' }),
  redact: option({ value: patterns, default: [], help: 'hide text that matches these RE2 expressions, in addition to detected secrets' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const diffOptions = {
  failOn: option({ value: choice('what', ['regression']), default: undefined, help: 'exit 1 on a regression' }),
  force: option({ value: toggle, default: false, help: 'compare even different targets or suites' }),
  json: option({ value: toggle, default: false, help: 'print the comparison as JSON' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const coverageOptions = {
  framework: option({ value: texts('name'), default: [], help: 'list all techniques of these frameworks: owasp-agentic, owasp-mcp, atlas' }),
  json: option({ value: toggle, default: false, help: 'print the coverage as JSON' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
const strict = option({ value: toggle, default: false, help: 'read documents exactly as written, without translating older spellings (dialects)' })

// biome-ignore format: a row is a line
export const evaluateOptions = {
  trace: option({ short: 't', value: text('file'), default: undefined, conflicts: ['message'], help: 'trace written by Joust or ThoughtJack, a folder of traces, OpenTelemetry spans as OTLP JSON, or - for standard input' }),
  message: option({ short: 'm', value: text('file'), default: undefined, help: 'message as JSON or YAML, or - for standard input' }),
  judge: option({ value: text('provider/model'), default: undefined, needs: ['trace'], help: 'model that judges semantic indicators; without it they are skipped' }),
  out: option({ short: 'o', value: path('folder'), default: undefined, needs: ['trace'], help: 'write results.json for a folder of traces' }),
  json: option({ value: toggle, default: false, help: 'print the verdict as JSON' }),
  strict,
} satisfies OptionTable

export const proveOptions = {
  json: option({ value: toggle, default: false, help: 'print the proofs as JSON' }),
  strict,
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print no summary and no warnings' }),
} satisfies OptionTable

export type ReportOptions = OptionsOf<typeof reportOptions>
export type DiffOptions = OptionsOf<typeof diffOptions>
export type CoverageOptions = OptionsOf<typeof coverageOptions>
export type EvaluateOptions = OptionsOf<typeof evaluateOptions>
export type ProveOptions = OptionsOf<typeof proveOptions>
