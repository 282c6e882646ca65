/**
 * Checks doc comments of public names: each optional field of options has a default, and option types and the main
 * functions of each package have an example, which a test compiles.
 */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesBelow } from '../repository.ts'
import { type Manifest, readManifests, sourceEndings } from './modules.ts'
import { docBefore, isNode, lineOf, nameOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from './syntax.ts'
import type { Violation } from './violation.ts'

/** Option types. Parameters and fields of these types are followed. */
const OPTIONS = /(?:Options|Limits|Settings)$/
/** Option types, and interfaces that users implement. */
const EXEMPLARY = /(?:Options|Provider|Evaluator|Attacker|Connector|Exporter|Importer)$/
/** `@default`, or an equivalent phrase. */
const SAYS_WITHOUT = /@default\b|\b(?:by default|without (?:it|them|one)|if (?:it is )?absent|absent[:,;])/i

/** Internal packages, whose functions need no examples. */
const FOUNDATIONS: readonly string[] = ['source', 'io']
/** Packages whose functions all need an example. */
const DIRECT: readonly string[] = ['adaptive', 'agentformat', 'conformance', 'library', 'runtime', 'sim', 'vitest']

export function checkPublicDocs(root: string): Violation[] {
  return readManifests(root).flatMap((manifest) => {
    const source = readDeclarations(root, manifest)
    const exported = [...new Set(publicDeclarations(root, manifest, source))]
    const visited = new Set<SyntaxNode>()
    return [
      ...exported.flatMap((declaration) => checkDeclaration(declaration, source, visited)),
      ...(FOUNDATIONS.includes(manifest.folder) ? [] : checkExamples(root, manifest, exported)),
    ]
  })
}

/**
 * Checks option types, interfaces that users implement, and functions that the README of a package mentions (or all
 * functions), because editors show their examples. A type may refer to the example of a function with `{@link name}`.
 */
function checkExamples(root: string, { folder }: Manifest, exported: readonly Declaration[]): Violation[] {
  const readme = readFileSync(join(root, `packages/${folder}/README.md`), 'utf8')
  const imported = [...readme.matchAll(/^import \{ ([^}]+) \} from /gm)].flatMap(([, names = '']) => names.split(', '))
  const named = new Set([...readme.matchAll(/`(\w+)(?:\([^`]*)?`/g)].map(([, name]) => name).concat(imported))
  const hasExample = ({ text, start }: Declaration) => docBefore(text, start).includes('@example')
  const shown = new Set(exported.flatMap((one) => (isFunction(one.node) && hasExample(one) ? [one.name] : [])))
  const refersToOne = ({ text, start }: Declaration) =>
    [...docBefore(text, start).matchAll(/\{@link (\w+)\}/g)].some(([, name = '']) => shown.has(name))
  return exported
    .filter((one) => {
      if (hasExample(one)) return false
      if (isFunction(one.node)) return DIRECT.includes(folder) || named.has(one.name)
      return isType(one.node) && EXEMPLARY.test(one.name) && !refersToOne(one)
    })
    .map(({ file, text, name, start, node }) => ({
      file,
      line: lineOf(text, start),
      message: `${name} has no example`,
      mend: `add \`@example\`${isType(node) ? ', or `{@link name}` with a function that has one,' : ''} to its comment; test/doc-examples.test.ts compiles it`,
    }))
}

function isType({ type }: SyntaxNode): boolean {
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration'
}

function isFunction({ type, declarations }: SyntaxNode): boolean {
  const [variable] = listOf(declarations)
  return type === 'FunctionDeclaration' || (isNode(variable?.init) && variable.init.type === 'ArrowFunctionExpression')
}

interface Declaration {
  readonly file: string
  readonly text: string
  readonly name: string
  readonly node: SyntaxNode
  /** The start of its statement, after its comment. */
  readonly start: number
  readonly isExported: boolean
}

/** Declarations of a package by name. A name that several files declare is first looked up in the current file. */
type Declarations = readonly Declaration[]

function readDeclarations(root: string, { folder }: Manifest): Declarations {
  return sourceEndings
    .flatMap((ending) => filesBelow(root, `packages/${folder}/src`, ending))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return listOf(parseTypeScript(text, file).body).flatMap((statement) => {
        const node = isNode(statement.declaration) ? statement.declaration : statement
        const [variable] = listOf(node.declarations)
        const name = nameOf(node.id) ?? nameOf(variable?.id)
        const isExported = node !== statement
        return name === undefined ? [] : [{ file, text, name, node, start: statement.start, isExported }]
      })
    })
}

function publicDeclarations(root: string, { entries }: Manifest, source: Declarations): Declaration[] {
  return [...entries.values()].flatMap((entry) => {
    const own = source.filter(({ file, isExported }) => file === entry && isExported)
    const listed = listOf(parseTypeScript(readFileSync(join(root, entry), 'utf8'), entry).body).flatMap((statement) => {
      const from = stringOf(statement.source)
      if (from === undefined || !from.startsWith('.')) return []
      const file = posix.join(posix.dirname(entry), from)
      return listOf(statement.specifiers).flatMap((specifier) => find(source, nameOf(specifier.local), file) ?? [])
    })
    return [...own, ...listed]
  })
}

function find(source: Declarations, name: string | undefined, file: string): Declaration | undefined {
  const named = source.filter((declaration) => declaration.name === name)
  return named.find((declaration) => declaration.file === file) ?? named[0]
}

function checkDeclaration(declaration: Declaration, source: Declarations, visited: Set<SyntaxNode>): Violation[] {
  const { node, name } = declaration
  if (OPTIONS.test(name)) return checkOptions(declaration, source, visited)
  return listOf(node.params).flatMap((written) => {
    const parameter = isNode(written.left) ? written.left : written
    const type = isNode(parameter.typeAnnotation) ? parameter.typeAnnotation : undefined
    // A pattern with a default takes options, a pattern without one takes data.
    const isPattern = parameter !== written && parameter.type === 'ObjectPattern'
    const isOptions = isPattern || /^(?:options|limits|settings)$/.test(nameOf(parameter) ?? '')
    return type !== undefined && isOptions ? checkOptions({ ...declaration, node: type }, source, visited) : []
  })
}

/** Checks the fields of a type, and the option types that it refers to. */
function checkOptions(declaration: Declaration, source: Declarations, visited: Set<SyntaxNode>): Violation[] {
  const { node, file, text } = declaration
  if (visited.has(node)) return []
  visited.add(node)
  return nodesOf(node).flatMap((part) => {
    if (part.type === 'TSPropertySignature' || part.type === 'TSMethodSignature') {
      if (part.optional !== true || SAYS_WITHOUT.test(docBefore(text, part.start))) return []
      const field = nameOf(part.key) ?? stringOf(part.key)
      const message = `${declaration.name}: ${field} is optional, but its comment does not specify the default`
      return [{ file, line: lineOf(text, part.start), message, mend: 'add `@default` and the value to its comment' }]
    }
    const referred = part.type === 'TSTypeReference' ? part.typeName : part.expression
    const target = OPTIONS.test(nameOf(referred) ?? '') ? find(source, nameOf(referred), file) : undefined
    return target === undefined ? [] : checkOptions(target, source, visited)
  })
}

function listOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
