/** The packed formats and library in a project without a checkout: `npm run peers:consumers` tries all packages. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'
import { bundled, pack } from './packed.ts'

const root = repositoryRoot()
const project = mkdtempSync(join(tmpdir(), 'joust-consumers-'))

beforeAll(() => {
  const tarballs = join(project, 'tarballs')
  mkdirSync(tarballs)
  pack([...bundled, 'library'], tarballs)
  for (const name of readdirSync(tarballs)) {
    // As npm installs it, without the network.
    const place = join(project, 'node_modules/@joust', name.replace(/^joust-|-[\d.]+\.tgz$/g, ''))
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['xzf', join(tarballs, name), '-C', place, '--strip-components=1'])
    const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    for (const foreign of Object.keys(dependencies).filter((one) => !one.startsWith('@joust/')))
      symlinkSync(join(root, 'node_modules', foreign), join(project, 'node_modules', foreign))
  }
  cpSync(join(root, 'peers/consumers'), project, { recursive: true })
}, 120_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

function node(...argv: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', VITEST: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: project, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('ES modules', () => {
  expect(node('formats.mjs')).toEqual({ status: 0, stdout: 'exploited matched,matched false\n', stderr: '' })
})

test('CommonJS, where Node.js can require ES modules', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const { status, stdout } = node('required.cjs')
  if (major > 20 || minor >= 19) expect({ status, stdout }).toEqual({ status: 0, stdout: 'JOUST-127 function\n' })
  else expect(status).not.toBe(0)
})

const program = `
import { libraryAttack } from '@joust/library'
import { evaluateAttack, load, normalize, unwrap, type NormalIndicator } from '@joust/oatf'

const attack = libraryAttack('time-bomb')
const indicators: readonly NormalIndicator[] = normalize(attack.written).attack.indicators ?? []
export const ids: readonly string[] = indicators.map(({ id }) => id)
export const verdict = evaluateAttack(unwrap(load('')), [])
// @ts-expect-error: not loaded
evaluateAttack(attack.document, [])
// @ts-expect-error: not an attack of the library
libraryAttack('time-bom')
`

test.each(['node16', 'nodenext'])(
  'strict types with module %s',
  (module) => {
    writeFileSync(join(project, 'program.mts'), program)
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] }
    const compilerOptions = { module, target: 'es2022', noEmit: true, ...strict }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }))
    const { status, stdout } = node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  },
  60_000,
)
