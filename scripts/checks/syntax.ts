/** Parses TypeScript with the bundler's parser, with helpers for the checks. */
import { parseAst } from 'rolldown/parseAst'

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Parses TypeScript. The file extension determines whether it may contain JSX. */
export function parseTypeScript(text: string, file = ''): SyntaxNode {
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' })
  if (!isNode(program)) throw new Error('the parser returned no tree')
  return program
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Returns all nodes of a tree, parents first. */
export function nodesOf(root: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  const visit = (node: SyntaxNode) => {
    found.push(node)
    for (const field of Object.values(node))
      for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) visit(child)
  }
  visit(root)
  return found
}

export function stringOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

export function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined
}

/** Returns the properties of an object literal by name. */
export function propertiesOf(node: unknown): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>()
  if (!isNode(node) || node.type !== 'ObjectExpression' || !Array.isArray(node.properties)) return found
  for (const property of node.properties) {
    const name = isNode(property) ? (stringOf(property.key) ?? nameOf(property.key)) : undefined
    if (name !== undefined && isNode(property)) found.set(name, property)
  }
  return found
}

/** Returns the doc comment before an offset, or an empty string. */
export function docBefore(text: string, offset: number): string {
  return /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, offset))?.[1] ?? ''
}

/** Returns the line of an offset, starting at 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
