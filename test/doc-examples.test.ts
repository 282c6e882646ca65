/** The examples in doc comments: each is type-checked, with the exports of the packages and the names declared below. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()

/** Values of the reader's program. */
const declared = `
import type { LoadedAgent } from '@joust/agentformat'
import type { Target } from '@joust/arena'
import type { Exchange } from '@joust/models'
import type { LoadedAttack, TraceMessage } from '@joust/oatf'
import type { Redacted, Results } from '@joust/results'
import type { LanguageModel, StandardSchema } from '@joust/runtime'
import type { RunWithin } from '@joust/trials'
declare global {
  const text: string
  const password: string
  const attack: LoadedAttack
  const messages: TraceMessage[]
  const target: Target
  const loadedAgent: LoadedAgent
  const model: LanguageModel
  const schema: StandardSchema<{ a: number; b: number }>
  // biome-ignore lint/suspicious/noExplicitAny: Zod, which is not installed here
  const z: any
  const dictionary: Readonly<Record<string, string>>
  const show: (event: unknown) => void
  const call: (turn: { readonly prompt: string }) => string
  const results: Redacted<Results>
  const unredacted: Parameters<typeof import('@joust/results').redactResults>[0]
  const before: Results
  const after: Results
  const exchange: Exchange
  const transport: Awaited<ReturnType<Parameters<typeof import('@joust/runtime').mcpTransport>[0]>>
  // biome-ignore lint/suspicious/noExplicitAny: runs batches of every kind
  const runWithin: RunWithin<any>
  const ask: (prompt: string, servers: object) => Promise<string>
}
`

interface Example {
  readonly place: string
  readonly package: string
  readonly code: string
}

const examples = readdirSync(join(root, 'packages')).flatMap((folder) =>
  readdirSync(join(root, 'packages', folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => examplesIn(folder, join('packages', folder, 'src', file))),
)

/** Examples of functions; those of options are values. */
function examplesIn(folder: string, file: string): Example[] {
  const comments = readFileSync(join(root, file), 'utf8').matchAll(
    /^\/\*\*\n(?: \*.*\n)*? \* @example\n((?: \*(?!\/).*\n)+)/gm,
  )
  return [...comments].map(([, lines = ''], index) => ({
    place: `${file}${index === 0 ? '' : ` (${index + 1})`}`,
    package: `@joust/${folder}`,
    code: lines.replaceAll(/^ \* ?/gm, ''),
  }))
}

/** The names of each entry point of the packages. */
async function exported(): Promise<readonly { readonly specifier: string; readonly names: ReadonlySet<string> }[]> {
  const specifiers = readdirSync(join(root, 'packages')).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
    return Object.keys(exports ?? {})
      .filter((path) => path !== './package.json' && name !== 'joust')
      .map((path) => `${name}${path.slice(1)}`)
  })
  return Promise.all(
    specifiers.map(async (specifier) => ({ specifier, names: new Set(Object.keys(await import(specifier))) })),
  )
}

describe('examples in doc comments', () => {
  let folder = ''
  let faults = ''

  beforeAll(async () => {
    const entries = await exported()
    mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, 'node_modules', '.cache', 'examples-'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'declared.ts'), declared)
    for (const [index, { place, package: own, code }] of examples.entries()) {
      const words = new Set(code.match(/\b[a-z]\w*\b/gi))
      const ordered = entries.toSorted((a, b) => rank(a.specifier, own) - rank(b.specifier, own))
      const imports = [...words].flatMap((word) => {
        const entry = ordered.find(({ names }) => names.has(word))
        return entry === undefined ? [] : [`import { ${word} } from '${entry.specifier}'`]
      })
      const files = [
        `import { readFile, writeFile } from 'node:fs/promises'`,
        ...(code.includes('expect') ? [`import { expect } from 'vitest'`] : []),
      ].join('\n')
      writeFileSync(
        join(folder, `example-${index}.ts`),
        `// ${place}\n${files}\n${imports.join('\n')}\n${code}export {}\n`,
      )
    }
    const options = { composite: false, declaration: false, declarationMap: false, noUnusedLocals: false }
    const compilerOptions = { ...options, types: ['node'], noEmit: true }
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    faults = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' }).stdout
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(examples.map(({ place }, index) => [place, index] as const))('%s', (_, index) => {
    expect(faults.split('\n').filter((line) => line.includes(`example-${index}.ts`))).toEqual([])
  })

  test('there are many, and nothing else is wrong', () => {
    expect(examples.length).toBeGreaterThan(40)
    expect(faults.split('\n').filter((line) => line !== '' && !/example-\d+\.ts|^ /.test(line))).toEqual([])
  })
})

/** The package itself before others. */
function rank(specifier: string, own: string): number {
  return specifier === own ? 0 : specifier.startsWith(`${own}/`) ? 1 : 2
}
