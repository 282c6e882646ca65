/** What the SDKs promise about where they run: in browsers, and in places without `eval`. */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { joustVersion } from '@joust/source'
import { build } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'
import { isNode, nameOf, nodesOf, parseTypeScript } from '../scripts/checks/syntax.ts'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const story = join(root, 'examples/tool-description-injection')

test('this suite runs where no code can be made from strings', () => {
  expect(() => new Function('return 1')).toThrow(EvalError)
})

test('every package has the version that the code names', () => {
  const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'editors/vscode']
  const versions = folders.map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version)
  expect(versions).toEqual(folders.map(() => joustVersion))
})

describe.each(['oatf', 'agentformat', 'language'])('@joust/%s in a browser bundle', (name) => {
  let code = ''

  beforeAll(async () => {
    code = await bundle(name)
  })

  test('imports nothing', () => {
    const imports = [...code.matchAll(/(?:\bfrom|\brequire\(|\bimport\(?)\s*["']([^"']+)["']/g)].map(
      (match) => match[1] ?? '',
    )
    expect(imports.filter((name) => name.startsWith('node:') || isBuiltin(name))).toEqual([])
    expect(code).not.toContain('__vite-browser-external')
  })

  test('makes no code from strings', () => {
    expect(codeMakers('eval("1"); new Function("2"); (0, Function)("3")')).toHaveLength(3)
    expect(codeMakers(code)).toEqual([])
  })
})

describe('in a place that has nothing but the language and the encoding API', () => {
  test('@joust/oatf loads and judges', async () => {
    const context = await bareContext('oatf')
    const text = JSON.stringify(readFileSync(join(story, 'attack.oatf.yaml'), 'utf8'))
    const message = readFileSync(join(story, 'messages/fell-for-it.json'), 'utf8')
    const result: unknown = runInContext(
      `(() => {
        const loaded = oatf.load(${text})
        if (!loaded.ok) return JSON.stringify(loaded.error)
        const { attack } = loaded.value.document
        const evaluators = { cel: oatf.createCelEvaluator() }
        const found = attack.indicators.map((indicator) => oatf.evaluateIndicator(indicator, ${message}, evaluators))
        const path = oatf.evaluateExtractor(
          { name: 'key', source: 'request', type: 'json_path', selector: '$..client_context' }, ${message}, 'request')
        const verdict = oatf.computeVerdict(attack, new Map(found.map((one) => [one.indicator_id, one])))
        return [typeof process, typeof Buffer, verdict.result, verdict.max_tier, path.split('\\n')[0]].join(' ')
      })()`,
      context,
    )
    expect(result).toBe('undefined undefined exploited boundary_breach [wallet]')
  })

  test('@joust/agentformat loads and checks', async () => {
    const context = await bareContext('agentformat')
    const result: unknown = await runInContext(
      `agentformat
        .loadAgent('a.agf.yaml', { read: async () => 'schema_version: "1.0.0"\\nmetadta: {}\\n' })
        .then((loaded) => [typeof process, loaded.ok, loaded.error.some((found) => found.message.includes('metadata'))].join(' '))`,
      context,
    )
    expect(result).toBe('undefined false true')
  })

  test('@joust/language answers as in a worker', async () => {
    const context = await bareContext('language')
    const text = readFileSync(join(story, 'attack.oatf.yaml'), 'utf8').replace('surface:', 'surfce:')
    const result: unknown = await runInContext(
      `(async () => {
        const file = { name: 'attack.oatf.yaml', text: ${JSON.stringify(text)} }
        const core = language.createLanguage()
        const [finding] = await core.diagnose(file)
        const [fix] = await core.fixes(file, finding.range)
        const keys = await core.complete({ name: 'a.oatf.yaml', text: 'oatf: "0.1"\\n' }, 12)
        return [typeof process, finding.message, fix.title, keys[0].label].join(' | ')
      })()`,
      context,
    )
    expect(result).toBe('undefined | unknown field "surfce". Did you mean "surface"? | Replace with "surface" | attack')
  })
})

async function bareContext(name: string): Promise<object> {
  const context = createContext({ TextEncoder, TextDecoder }, { codeGeneration: { strings: false, wasm: false } })
  runInContext(await bundle(name), context)
  return context
}

const bundles = new Map<string, Promise<string>>()

/** One script for browsers that defines a global named after the package; built once. */
function bundle(name: string): Promise<string> {
  const made = bundles.get(name) ?? makeBundle(name)
  bundles.set(name, made)
  return made
}

async function makeBundle(name: string): Promise<string> {
  const entry = `packages/${name}/src/index.ts`
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['joust-source', 'module', 'browser', 'import', 'default'] },
    build: { write: false, minify: false, lib: { entry: join(root, entry), formats: ['iife'], name } },
  })
  const [first] = Array.isArray(output) ? output : [output]
  if (first === undefined || !('output' in first)) throw new Error('the bundler gave nothing')
  return first.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n')
}

/** Calls that turn a string into code, as they appear in the text. */
function codeMakers(text: string): string[] {
  return [...nodesOf(parseTypeScript(text))]
    .filter(({ type }) => type === 'CallExpression' || type === 'NewExpression')
    .filter(({ callee }) => {
      const called = isNode(callee) && callee.type === 'ParenthesizedExpression' ? callee.expression : callee
      const last =
        isNode(called) && called.type === 'SequenceExpression' && Array.isArray(called.expressions)
          ? called.expressions.at(-1)
          : called
      return ['eval', 'Function'].includes(nameOf(last) ?? '')
    })
    .map(({ start, end }) => text.slice(start, end))
}
