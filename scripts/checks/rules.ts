/**
 * Checks that the rule tables are complete, and that every row has a file and a test. The compiler checks the other
 * fields of a row.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../repository.ts'
import { readTable, type TableRow } from './rule-files.ts'
import { lineOf } from './syntax.ts'
import type { Violation } from './violation.ts'

const OATF = 'packages/oatf'
const RULES = `${OATF}/src/rules`
const LINT = `${OATF}/src/lint`
const STEPS = `${OATF}/src/steps`
const DIALECTS = `${OATF}/src/dialects`

/** Required codes: from 001 to at least `last`, without gaps. Codes from 101 on are extensions. */
const expected = [
  { table: `${RULES}/table.ts`, letter: 'V', last: 50, absent: ['V-002'] }, // reported as W-001
  { table: `${RULES}/table.ts`, letter: 'W', last: 7, absent: [] },
  { table: `${LINT}/table.ts`, letter: 'L', last: 26, absent: [] },
  { table: `${STEPS}/table.ts`, letter: 'N', last: 8, absent: [] },
  { table: `${DIALECTS}/table.ts`, letter: 'D', last: 18, absent: [] },
] as const

/** Checks the rule, lint, step and dialect tables below a root. */
export function checkRules(root: string): Violation[] {
  const rules = readTable(root, `${RULES}/table.ts`)
  const lints = readTable(root, `${LINT}/table.ts`)
  const steps = readTable(root, `${STEPS}/table.ts`)
  const dialects = readTable(root, `${DIALECTS}/table.ts`)
  const rows = [...rules, ...lints, ...steps, ...dialects]
  return [
    ...[rules, lints, steps, dialects].flatMap(checkOrder),
    ...expected.flatMap((range) => checkComplete(range, rows)),
    ...checkFiles(root, RULES, 'Rule', rules),
    ...checkFiles(root, LINT, 'LintRule', lints),
    ...checkFiles(root, STEPS, 'Step', steps),
    ...checkFiles(root, DIALECTS, 'Translation', dialects),
    ...rows.flatMap((row) => checkTest(root, row)),
  ]
}

function checkOrder(rows: readonly TableRow[]): Violation[] {
  return rows.flatMap((row, index) => {
    const previous = rows[index - 1]
    if (previous === undefined || previous.code < row.code) return []
    const fault = previous.code === row.code ? 'is a duplicate' : `comes after ${previous.code}`
    return [
      { file: row.table, line: row.line, message: `${row.code} ${fault}`, mend: 'keep one row per code, in order' },
    ]
  })
}

function checkComplete(
  { table, letter, last, absent }: (typeof expected)[number],
  rows: readonly TableRow[],
): Violation[] {
  const codes = rows.map((row) => row.code).filter((code) => code.startsWith(letter) && Number(code.slice(2)) <= 100)
  const highest = Math.max(last, ...codes.map((code) => Number(code.slice(2))))
  const wanted = Array.from({ length: highest }, (_, index) => `${letter}-${String(index + 1).padStart(3, '0')}`)
  const missing = wanted.filter((code) => !codes.includes(code) && !(absent as readonly string[]).includes(code))
  return missing.map((code) => ({ file: table, line: 1, message: `no row for ${code}`, mend: 'add its row' }))
}

/** Finds files with a rule or step that no row uses, and rows whose file does not exist. */
function checkFiles(
  root: string,
  folder: string,
  type: 'Rule' | 'LintRule' | 'Step' | 'Translation',
  rows: readonly TableRow[],
): Violation[] {
  const used = new Set(rows.map((row) => `${row.file}#${row.imported}`))
  const strays = filesBelow(root, folder, '.ts').flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return exportsOfType(text, type)
      .filter(({ name }) => !used.has(`${file}#${name}`))
      .map(({ name, line }) => ({
        file,
        line,
        message: `${name} is not in any table`,
        mend: `add a row to ${folder}/table.ts`,
      }))
  })
  const lost = rows
    .filter((row) => row.file === undefined || !existsSync(join(root, row.file)))
    .map(({ table, line, code }) => ({
      file: table,
      line,
      message: `${code} has no file`,
      mend: 'import its function',
    }))
  return [...strays, ...lost]
}

function exportsOfType(text: string, type: string): { name: string; line: number }[] {
  return [...text.matchAll(new RegExp(`^export const (\\w+): ${type} = `, 'gm'))].map((match) => ({
    name: match[1] ?? '',
    line: lineOf(text, match.index),
  }))
}

function checkTest(root: string, { code, file }: TableRow): Violation[] {
  if (file === undefined) return []
  const test = file.replace(`${OATF}/src/`, `${OATF}/test/`).replace(/\.ts$/, '.test.ts')
  if (!existsSync(join(root, test))) {
    return [{ file, line: 1, message: `${code} has no test`, mend: `write ${test}` }]
  }
  if (readFileSync(join(root, test), 'utf8').includes(code)) return []
  return [{ file: test, line: 1, message: `the test does not mention ${code}`, mend: 'test the code in the table' }]
}
