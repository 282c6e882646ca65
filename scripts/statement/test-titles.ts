/** What the tests of a file are called, as far as it can be read without running them. */
import { isNode, nameOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from '../syntax.ts'

const callers = ['test', 'it', 'describe', 'testRule']

/** The titles of tests and groups, patterns such as `%s` included, and the first words of the rows of tables. */
export function testTitles(text: string): Set<string> {
  const nodes = [...nodesOf(parseTypeScript(text))]
  const calls = nodes.filter(({ type, callee }) => type === 'CallExpression' && callers.includes(rootOf(callee) ?? ''))
  const titles = calls.map((call) => leadingTexts(call.arguments).join(' '))
  return new Set([...titles, ...nodes.flatMap(rowTitle)].filter((title) => title !== ''))
}

/** Every name that an object in the text gives a value to. */
export function propertyNames(text: string): Set<string> {
  const nodes = [...nodesOf(parseTypeScript(text))].filter(({ type }) => type === 'Property')
  return new Set(nodes.flatMap(({ key }) => stringOf(key) ?? nameOf(key) ?? []))
}

/** `describe.each([…])` is of `describe`. */
function rootOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  return nameOf(node) ?? rootOf(node.type === 'CallExpression' ? node.callee : node.object)
}

function leadingTexts(words: unknown): string[] {
  const texts = (Array.isArray(words) ? words : []).map(textOf)
  const end = texts.indexOf(undefined)
  return (end < 0 ? texts : texts.slice(0, end)).filter((text) => text !== undefined)
}

/** A list that begins with a text and goes on is a row, wherever it stands: tables are often constants. */
function rowTitle({ type, elements }: SyntaxNode): string[] {
  if (type !== 'ArrayExpression' || !Array.isArray(elements) || elements.length < 2) return []
  return [textOf(elements[0]) ?? '']
}

function textOf(node: unknown): string | undefined {
  const text = stringOf(node)
  if (text !== undefined || !isNode(node) || node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return text
  const [only, ...others] = node.quasis
  const value: unknown = others.length === 0 && isNode(only) ? only.value : undefined
  const cooked = typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : undefined
  return typeof cooked === 'string' ? cooked : undefined
}
