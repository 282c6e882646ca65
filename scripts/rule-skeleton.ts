/** Writes a new rule, its test and its row, all of which fail until they are completed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const RULES = 'packages/oatf/src/rules'
const TESTS = 'packages/oatf/test/rules'
const TABLE = `${RULES}/table.ts`

type Skeleton = { readonly written: readonly string[] } | { readonly fault: string }

/** Writes the skeleton of a rule. `place` is `subject/file-name`. */
export function writeRuleSkeleton(root: string, code: string, place: string): Skeleton {
  if (!/^[VW]-\d{3}$/.test(code)) return { fault: `"${code}" is not a rule code such as V-005 or W-199` }
  if (!/^[a-z]+\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(place)) {
    return { fault: `"${place}" is not a rule path such as indicator/target-path` }
  }
  const [rule, test] = [`${RULES}/${place}.ts`, `${TESTS}/${place}.test.ts`]
  const table = readFileSync(join(root, TABLE), 'utf8')
  const name = camelCase(place.split('/')[1] ?? '')
  if (table.includes(`code: '${code}'`)) return { fault: `${code} is already in the table` }
  if (existsSync(join(root, rule))) return { fault: `${rule} already exists` }
  if (new RegExp(`\\b${name}\\b`).test(table)) return { fault: `the table already has a rule ${name}` }
  write(root, rule, ruleText(name))
  write(root, test, testText(code))
  write(root, TABLE, withRow(withImport(table, name, place), code, name))
  return { written: [rule, test, TABLE] }
}

function ruleText(name: string): string {
  return `import type { Rule } from '../rule.ts'

export const ${name}: Rule = {
  summary: 'State the requirement in one sentence.',
  check(_walk, report) {
    report([], '${name} is not written yet')
  },
  good: \`oatf: "0.1"\`,
  mistake: ['"0.1"', '"0.1"'],
  path: '',
}
`
}

function testText(code: string): string {
  return `import { testRule } from '../harness.ts'

testRule('${code}', {
  valid: ['oatf: "0.1"'],
  invalid: [],
  message: 'the message for the first invalid document',
})
`
}

function withImport(table: string, name: string, place: string): string {
  const line = `import { ${name} } from './${place}.ts'\n`
  const next = [...table.matchAll(/^import .* from '\.\/([^']+)\.ts'\n/gm)].find((match) => (match[1] ?? '') > place)
  const at = next?.index ?? table.indexOf('import type')
  return `${table.slice(0, at)}${line}${table.slice(at)}`
}

function withRow(table: string, code: string, name: string): string {
  const level = code.startsWith('V') ? 'error' : 'warning'
  const row = `  { code: '${code}', level: '${level}', section: '§', ...${name} },\n`
  const next = [...table.matchAll(/^ {2}\{ code: '([^']+)'/gm)].find((match) => (match[1] ?? '') > code)
  const at = next?.index ?? table.indexOf(']\n', table.indexOf('ruleTable'))
  return `${table.slice(0, at)}${row}${table.slice(at)}`
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
