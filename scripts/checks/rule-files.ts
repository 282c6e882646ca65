import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isNode, lineOf, nameOf, nodesOf, parseTypeScript, propertiesOf, type SyntaxNode, stringOf } from './syntax.ts'

/** A table row, and the file of its rule. */
export interface TableRow {
  readonly code: string
  readonly table: string
  readonly line: number
  /** The rule file, relative to the repository root. Undefined if the row has none. */
  readonly file: string | undefined
  /** The name of the imported rule. */
  readonly imported: string | undefined
}

/** Parses table rows from source text, so that no build is needed. */
export function readTable(root: string, table: string): TableRow[] {
  if (!existsSync(join(root, table))) return []
  return rowsIn(readFileSync(join(root, table), 'utf8'), table)
}

/** Parses table rows. */
export function rowsIn(text: string, table: string): TableRow[] {
  const nodes = nodesOf(parseTypeScript(text))
  const imports = new Map(nodes.flatMap((node) => importsOf(node, table)))
  return nodes.flatMap((node) => {
    const properties = propertiesOf(node)
    const code = stringOf(properties.get('code')?.value)
    if (code === undefined) return []
    const origin = imports.get(spreadOf(node) ?? nameOf(properties.get('check')?.value) ?? '')
    return [{ code, table, line: lineOf(text, node.start), file: origin?.file, imported: origin?.imported }]
  })
}

/** Returns the name of the value that an object literal spreads. */
function spreadOf({ properties }: SyntaxNode): string | undefined {
  const spread = Array.isArray(properties) ? properties.find((entry) => entry.type === 'SpreadElement') : undefined
  return nameOf(spread?.argument)
}

type Origin = { readonly file: string; readonly imported: string }

function importsOf(node: SyntaxNode, table: string): [string, Origin][] {
  const source = node.type === 'ImportDeclaration' ? stringOf(node.source) : undefined
  if (source === undefined || !Array.isArray(node.specifiers)) return []
  const file = posix.join(posix.dirname(table), source)
  return node.specifiers.flatMap((specifier): [string, Origin][] => {
    if (!isNode(specifier)) return []
    const [local, imported] = [nameOf(specifier.local), nameOf(specifier.imported)]
    return local === undefined || imported === undefined ? [] : [[local, { file, imported }]]
  })
}
