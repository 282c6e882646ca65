/**
 * Finds rule codes in program text outside the tables, and unknown codes anywhere. Comments may mention existing codes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../repository.ts'
import { readTable } from './rule-files.ts'
import { lineOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from './syntax.ts'
import type { Violation } from './violation.ts'

interface Place {
  readonly file: RegExp
  /** Allowed codes. @default all */
  readonly codes?: readonly string[]
}

/** Files in which codes may occur. */
const allowed: readonly Place[] = [
  { file: /^packages\/oatf\/src\/(rules|lint|dialects|steps)\/table\.ts$/ },
  // Contains the rule that each shape fault pre-empts.
  { file: /^packages\/oatf\/src\/model\/document\.ts$/ },
  // The reader detects these YAML constructs before any rule runs.
  { file: /^packages\/oatf\/src\/parse\.ts$/, codes: ['V-020'] },
  // The only warning that can also occur during an attack.
  { file: /^packages\/oatf\/src\/primitives\/interpolate-template\.ts$/, codes: ['W-004'] },
  // The table of diagnostics during an attack.
  { file: /^packages\/results\/src\/model\/diagnostics\.ts$/, codes: ['W-004', 'W-006'] },
  // Every result contains these codes, so they are not repeated before a run.
  { file: /^packages\/cli\/src\/run\/attacks\.ts$/, codes: ['L-020', 'W-006'] },
  // The codes without a rule.
  { file: /^packages\/oatf\/src\/explain\.ts$/, codes: ['V-002', 'W-001'] },
  // Examples of command lines.
  {
    file: /^packages\/cli\/src\/(program|commands)\/\w+\.ts$|^packages\/cli\/src\/program\.ts$/,
    codes: ['V-005', 'L-001'],
  },
]

const CODE = /\b[VWLDN]-\d{3}\b/g

/** Finds rule codes in string literals of all packages. */
export function checkCodes(root: string): Violation[] {
  return filesBelow(root, 'packages', '.ts')
    .filter((file) => file.split('/')[2] === 'src')
    .flatMap((file) => codesIn(root, file))
}

function codesIn(root: string, file: string): Violation[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.search(CODE) < 0) return []
  const places = allowed.filter((place) => place.file.test(file))
  return nodesOf(parseTypeScript(text)).flatMap((node) =>
    [...new Set(textOf(node).match(CODE))]
      .filter((code) => !places.some((place) => place.codes?.includes(code) ?? true))
      .map((code) => ({
        file,
        line: lineOf(text, node.start),
        message: `code ${code} in program text`,
        mend: 'read it from the table, or report through its rule',
      })),
  )
}

/** The record of the rules and decisions for Agent Format, each in a table row. */
const DECISIONS = 'docs/decisions/0019-agent-format.md'
const ANY_CODE = /\b(?:[VWLDN]-\d{3}|[RPA]-\d{2}|OPEN-\d+)\b/g

/** Folders with hand-written files. Others are generated or third-party. */
const folders = ['packages', 'scripts', 'test', 'docs', 'library', 'examples', 'bench', 'editors', 'peers']
const endings = ['.ts', '.tsx', '.mjs', '.md', '.yaml']

/** Files with codes of future rules, misspelled codes, or unrelated ones such as order numbers. */
const aboutCodes =
  /^(test\/)?scripts\/(new-rule|rule-skeleton|checks\/rules)\b|^docs\/recipes\.md|\/test\/(commands\/explain|shapes\/check-shape)\.|^examples\/agents\/react\//

/** Finds codes in sources, tests, examples and documents that are in no table and no decision. */
export function checkResolved(root: string): Violation[] {
  const rows = ['rules', 'lint', 'steps', 'dialects'].flatMap((folder) =>
    readTable(root, `packages/oatf/src/${folder}/table.ts`),
  )
  const decided = readFileSync(join(root, DECISIONS), 'utf8').matchAll(/^(?:\| |- \*\*)((?:[RPA]|OPEN)-\d+)(?: \||:)/gm)
  const defined = new Set([...rows.map(({ code }) => code), ...[...decided].map(([, code]) => code), 'V-002'])
  const files = folders.flatMap((folder) => endings.flatMap((ending) => filesBelow(root, folder, ending)))
  const pages = readdirSync(root).filter((file) => file.endsWith('.md'))
  return [...files, ...pages].filter(isOurs).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(ANY_CODE)]
      .filter(([code]) => !defined.has(code))
      .map(({ 0: code, index }) => ({
        file,
        line: lineOf(text, index),
        message: `unknown code ${code}`,
        mend: `use an existing code, or add it to its table or to ${DECISIONS}`,
      }))
  })
}

function isOurs(file: string): boolean {
  return !/\/(?:node_modules|dist|bundle|bundle-exe)\//.test(file) && !aboutCodes.test(file)
}

function textOf(node: SyntaxNode): string {
  if (node.type !== 'TemplateElement') return stringOf(node) ?? ''
  const { value } = node
  return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : ''
}
