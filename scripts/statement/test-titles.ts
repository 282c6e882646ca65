/** Finds the titles of tests in a file and their weaknesses, without running them. */
import { isNode, nameOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from '../checks/syntax.ts'

const callers = ['test', 'it', 'describe', 'testRule']
const skipping = ['skip', 'skipIf', 'runIf', 'todo']

/** A weakness of a test: it may be skipped, or it only compares with one of our tables. */
export type Weakness = 'skipped' | 'table'

/**
 * Returns the titles of tests and groups, including patterns such as `%s`, and the first string of table rows, each
 * with the weakness that all tests with that title share, if any.
 */
export function testTitles(text: string): Map<string, Weakness | undefined> {
  const program = parseTypeScript(text)
  const tables = tableNames(program)
  const found = new Map<string, Weakness | undefined>()
  const add = (title: string, weakness: Weakness | undefined) => {
    if (title !== '') found.set(title, found.has(title) ? found.get(title) && weakness : weakness)
  }
  const visit = (node: SyntaxNode, around: Weakness | undefined) => {
    const isTest = node.type === 'CallExpression' && callers.includes(rootOf(node.callee) ?? '')
    const weakness = isTest ? (around ?? weaknessOf(node, tables)) : around
    if (isTest) add(leadingTexts(node.arguments).join(' '), weakness)
    add(rowTitle(node), weakness)
    for (const child of childrenOf(node)) visit(child, weakness)
  }
  visit(program, undefined)
  return found
}

/** Returns all property names in object literals. */
export function propertyNames(text: string): Set<string> {
  const nodes = nodesOf(parseTypeScript(text)).filter(({ type }) => type === 'Property')
  return new Set(nodes.flatMap(({ key }) => stringOf(key) ?? nameOf(key) ?? []))
}

function weaknessOf(call: SyntaxNode, tables: ReadonlySet<string>): Weakness | undefined {
  if (chainOf(call.callee).some((name) => skipping.includes(name))) return 'skipped'
  const expected = expectations(call)
  const ofTables = expected.filter((one) => nodesOf(one).some((node) => tables.has(nameOf(node) ?? '')))
  return expected.length > 0 && ofTables.length === expected.length ? 'table' : undefined
}

/** Returns the complete calls that begin with `expect`. */
function expectations(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'CallExpression' && rootOf(node.callee) === 'expect') return [node]
  return childrenOf(node).flatMap(expectations)
}

/**
 * Returns the names that a file imports from tables: everything from a `table.ts`, and the bindings of `@joust/oatf`.
 */
function tableNames(program: SyntaxNode): Set<string> {
  const imports = nodesOf(program).filter(({ type }) => type === 'ImportDeclaration')
  return new Set(
    imports.flatMap(({ source, specifiers }) => {
      const from = stringOf(source) ?? ''
      const names = (Array.isArray(specifiers) ? specifiers : [])
        .filter(isNode)
        .flatMap(({ local }) => nameOf(local) ?? [])
      if (from.endsWith('/table.ts')) return names
      return from === '@joust/oatf' ? names.filter((name) => ['findMode', 'knownModes'].includes(name)) : []
    }),
  )
}

/** Returns the root of a chain: `describe` for `describe.each([…])`. */
function rootOf(node: unknown): string | undefined {
  return chainOf(node)[0]
}

/** Returns the names in a chain: `test`, `skipIf` and `each` for `test.skipIf(x).each(rows)`. */
function chainOf(node: unknown): string[] {
  if (!isNode(node)) return []
  const name = nameOf(node)
  if (name !== undefined) return [name]
  if (node.type === 'CallExpression') return chainOf(node.callee)
  const before = chainOf(node.object)
  return before.length === 0 ? [] : [...before, nameOf(node.property) ?? '']
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((field: unknown) => (Array.isArray(field) ? field : [field]))
    .filter(isNode)
}

function leadingTexts(words: unknown): string[] {
  const texts = (Array.isArray(words) ? words : []).map(textOf)
  const end = texts.indexOf(undefined)
  return (end < 0 ? texts : texts.slice(0, end)).filter((text) => text !== undefined)
}

/**
 * Returns the title of a row: the first string in a list with several items, anywhere in the file, because tables are
 * often constants.
 */
function rowTitle({ type, elements }: SyntaxNode): string {
  if (type !== 'ArrayExpression' || !Array.isArray(elements) || elements.length < 2) return ''
  return textOf(elements[0]) ?? ''
}

function textOf(node: unknown): string | undefined {
  const text = stringOf(node)
  if (text !== undefined || !isNode(node) || node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return text
  const [only, ...others] = node.quasis
  const value: unknown = others.length === 0 && isNode(only) ? only.value : undefined
  const cooked = typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : undefined
  return typeof cooked === 'string' ? cooked : undefined
}
