/** Every package, packed, inspected, and installed in an empty folder: what a stranger gets. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reviewAttack } from '../packages/cli/test/review-attack.ts'
import { binary, compiled } from '../packages/cli/test/spawned.ts'
import { joust as inProcess } from '../packages/cli/test/world.ts'
import { drive, startBrowser } from '../packages/report/test/html/browser.ts'
import { repositoryRoot } from '../scripts/repository.ts'
import { attack, commands, sure, trials } from './command-trials.ts'
import { importTimes } from './import-times.ts'
import { bundled, filesOf, missingSources, pack } from './packed.ts'

const root = repositoryRoot()
const folders = readdirSync(join(root, 'packages'))
const asked = process.env.CI !== undefined
if (!asked) console.warn('SKIPPED: nothing is packed and installed; CI=1 npx vitest run test/installed.test.ts does it')

const bundling = 'tsc -b . ../../scripts && node ../../scripts/dist/bundle-format.js'

/** How a package is built before packing, where that takes more than the compiler. */
const prepack: Readonly<Record<string, string>> = {
  cli: 'node ../../scripts/client-script.mjs && tsc -b ../.. && node ../../scripts/dist/bundle.js',
  library: 'node ../../scripts/library-documents.mjs && tsc -b',
  report: 'node ../../scripts/client-script.mjs && tsc -b',
  studio: 'tsc -b && node ../../scripts/dist/studio-client.js',
  ...Object.fromEntries(bundled.map((folder) => [folder, bundling])),
}

test.each(folders)('packages/%s has the licence, and packs only public files', (folder) => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(read(`packages/${folder}/LICENSE`)).toBe(read('LICENSE'))
  const { files, scripts } = JSON.parse(read(`packages/${folder}/package.json`))
  const more = folder === 'authoring' ? ['python'] : []
  expect(files).toEqual(folder === 'cli' ? ['bin', 'bundle'] : ['dist', ...more, 'src', '!dist/.tsbuildinfo*'])
  expect(scripts).toEqual({ prepack: prepack[folder] ?? 'tsc -b' })
})

test.each(folders)('packages/%s leads to its home, its source and its tracker', (folder) => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const { homepage, repository } = read('.')
  const manifest = read(`packages/${folder}`)
  expect(manifest).toMatchObject({
    homepage: `${homepage}/tree/main/packages/${folder}#readme`,
    repository: { ...repository, directory: `packages/${folder}` },
    bugs: `${homepage}/issues`,
  })
  expect(manifest.keywords.length).toBeGreaterThan(2)
})

test('each command of the help is tried after the installation', async () => {
  expect(Object.keys(trials).sort()).toEqual((await commands()).sort())
})

/** A program of a user: one attack of the library against a function, judged and reported. */
const consumer = `
import { runAttack, runEvents } from '@joust/arena'
import { libraryAttack } from '@joust/library'
import { evaluateAttack, load, normalize, unwrap } from '@joust/oatf'
import { suiteCode } from '@joust/results'
import { functionTarget } from '@joust/targets'
import { finishSuite, runSuite } from '@joust/trials'

const attack = libraryAttack('time-bomb')
const target = functionTarget({ name: 'clerk', call: async ({ prompt }) => prompt })
export const run = await runAttack(attack, { target })
for await (const event of runEvents(attack, { target })) if (event.type === 'run-ended') console.log(event.reason)
const results = await finishSuite(runSuite([{ file: 'a', attack }], { run: () => ({ target }) }))
console.log(suiteCode(results), suiteCode(results, { failOn: 'high' }))
const ids: readonly string[] = (normalize(attack.written).attack.indicators ?? []).map(({ id }) => id)
export const verdict = await evaluateAttack(unwrap(load('')), [])
// @ts-expect-error: not a tier, a severity or a regression
suiteCode(results, { failOn: 'hihg' })
console.log(ids.join())
`

describe.runIf(asked)('packed and installed', { timeout: 240_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'joust-installed-'))
  const env = { ...process.env, NO_COLOR: '1', XDG_CACHE_HOME: join(home, 'cache') }
  const tarballs = join(home, 'tarballs')
  const project = join(home, 'project')
  const bin = join(project, 'node_modules/.bin/joust')
  const names: string[] = []

  beforeAll(() => {
    for (const folder of [tarballs, project]) mkdirSync(folder)
    makeBundle()
    pack(folders, tarballs)
    names.push(...readdirSync(tarballs))
    writeFileSync(join(project, 'package.json'), '{ "private": true }')
    npm(['install', '--prefer-offline', ...names.map((name) => join(tarballs, name))], project)
    joust('init')
  }, 300_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }), 60_000)

  test('there is a tarball for each package, without leftovers of a build', () => {
    expect(names).toHaveLength(folders.length)
    for (const name of names) {
      const files = filesOf(join(tarballs, name))
      expect(files).toContain('LICENSE')
      if (name.startsWith('joust-studio')) expect(files).toContain('dist/web/studio.js')
      expect(files.filter((file) => /tsbuildinfo|\.test\.|^test\//.test(file))).toEqual([])
    }
  })

  test('source maps and declaration maps lead to sources in the package', () => {
    for (const folder of folders.filter((name) => name !== 'cli')) {
      const name = names.find((tarball) => tarball.startsWith(`joust-${folder}-`)) ?? 'none'
      const files = filesOf(join(tarballs, name))
      expect(files).toEqual(expect.arrayContaining(['dist/index.js.map', 'dist/index.d.ts.map']))
      expect(missingSources(join(project, 'node_modules/@joust', folder), files)).toEqual([])
    }
  })

  test.each([
    ['oatf', 14, 1500],
    ['agentformat', 1, 220],
    ['source', 1, 200],
  ])('@joust/%s is a bundle of at most %i files and %i kilobytes', (folder, most, kilobytes) => {
    const files = filesOf(join(tarballs, `joust-${folder}-0.1.0.tgz`)).filter((file) => /^dist\/.*\.js$/.test(file))
    const sizes = files.map((file) => statSync(join(project, 'node_modules/@joust', folder, file)).size)
    expect(files.length).toBeLessThanOrEqual(most)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1000 * kilobytes)
  })

  test('importing @joust/oatf takes at most twice as long as one file with the same code', async () => {
    const { size, installed, bare } = await importTimes('@joust/oatf', project, 10)
    expect(size).toBeLessThan(2_000_000)
    expect(installed / bare).toBeLessThan(2)
  })

  test('publint and attw find nothing', () => {
    const files = names.map((name) => join(tarballs, name))
    const { stdout, stderr } = run(process.execPath, [join(root, 'test/check-packed.mjs'), ...files], root)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(names.map((name) => [name, []])))
  })

  test('the packages can be imported by name', () => {
    const wanted = [
      '@joust/oatf',
      '@joust/agentformat',
      '@joust/language',
      '@joust/runtime',
      '@joust/targets/agent',
      '@joust/report',
      '@joust/sim',
      '@joust/models',
    ]
    const program = `for (const name of ${JSON.stringify(wanted)}) console.log(Object.keys(await import(name)).length > 0)`
    const { stdout } = run(process.execPath, ['--input-type=module', '-e', program])
    expect(stdout).toBe('true\n'.repeat(wanted.length))
  })

  test('CommonJS can require the packages, where Node.js supports it, and read their manifests', () => {
    const program = `
const { load, unwrap } = require('@joust/oatf')
const { library, libraryText } = require('@joust/library')
console.log(library.length > 0, unwrap(load(libraryText('time-bomb'))).document.attack.id, require('@joust/oatf/package.json').name)`
    const { status, stdout } = run(process.execPath, ['--input-type=commonjs', '-e', program])
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major > 20 || minor >= 19)
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'true JOUST-127 @joust/oatf\n' })
    else expect(status).not.toBe(0)
  })

  test.each(['node16', 'nodenext'])('a strict program type-checks with module %s', (module) => {
    const folder = join(project, `types-${module}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'program.mts'), consumer)
    mkdirSync(join(folder, 'types'))
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'types/node'))
    const types = { typeRoots: ['./types'], types: ['node'] }
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
    const compilerOptions = { module, target: 'es2022', noEmit: true, ...strict, ...types }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }))
    const { status, stdout } = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  test('the command has no dependencies, and starts', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/joust/package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(joust('--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` })
  })

  test('the library is found from any folder', () => {
    const count = readdirSync(join(root, 'library')).filter((name) => name.endsWith('.oatf.yaml')).length
    expect(joust('library', 'list').stdout.trim().split('\n')).toHaveLength(count)
    expect(joust('validate', 'library')).toMatchObject({ status: 0 })
    const one = joust('run', 'library/sampling-abuse.oatf.yaml', '--model', 'sim/credulous', '--quiet')
    expect(one).toMatchObject({ status: 3, stdout: expect.stringContaining('  library/sampling-abuse.oatf.yaml\n') })
  })

  test('the schemas that editors read are where the documentation says', () => {
    const [, place = ''] =
      /\$schema=(node_modules\/\S+\/)agent\.schema\.json/.exec(readFileSync(join(root, 'docs/install.md'), 'utf8')) ??
      []
    for (const name of ['oatf', 'agent', 'joust', 'results']) {
      const file = `${name}.schema.json`
      const packed = readFileSync(join(project, place, file), 'utf8')
      expect(packed).toBe(readFileSync(join(root, 'docs/schemas', file), 'utf8'))
    }
    const written = readFileSync(join(project, '.joust/joust.schema.json'), 'utf8')
    expect(JSON.parse(written)).toEqual(JSON.parse(readFileSync(join(root, 'docs/schemas/joust.schema.json'), 'utf8')))
  })

  test('every command of the help works', async () => {
    joust('run', attack, ...sure, '--out', 'tried')
    expect(joust('--help').stdout).toBe((await inProcess(['--help'])).stdout)
    for (const [name, [argv, status, text]] of Object.entries(trials)) {
      const ended = joust(...name.split(' '), ...argv)
      expect({ name, status: ended.status, text: ended.stdout + ended.stderr }).toEqual({
        name,
        status,
        text: expect.stringMatching(text),
      })
    }
  })

  test('demo', () => {
    const { status, stdout } = joust('demo')
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('tight limits') })
    const report = /^Report: (.*)$/m.exec(stdout)?.[1] ?? ''
    expect(readFileSync(join(project, report), 'utf8')).toContain('id="report"')
  })

  test('from an empty folder to a report that can be read, in under two minutes', async () => {
    const begun = Date.now()
    const fresh = join(home, 'fresh')
    mkdirSync(fresh)
    writeFileSync(join(fresh, 'package.json'), '{ "private": true }')
    const tarball = names.find((name) => /^joust-\d/.test(name)) ?? 'none'
    npm(['install', '--offline', join(tarballs, tarball)], fresh)
    const there = (...args: string[]) => run(join(fresh, 'node_modules/.bin/joust'), args, fresh)
    expect(there('init')).toMatchObject({ status: 0 })
    expect(there('validate', 'attacks')).toMatchObject({ status: 0 })
    expect(there('run', '--out', 'out', '--report', 'html,sarif', '--quiet')).toMatchObject({ status: 3 })
    for (const file of ['results.json', 'report.html', 'results.sarif'])
      expect(existsSync(join(fresh, 'out', file))).toBe(true)
    const seen = await lookAt(join(fresh, 'out/report.html'))
    if (seen !== undefined) expect(seen).toMatch(/Weather tool asks for a letter/)
    expect(Date.now() - begun).toBeLessThan(120_000)
  })

  test('the studio starts and answers, and ends with Ctrl-C', async () => {
    const started = spawn(bin, ['studio', '--no-open'], { cwd: project, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = new Promise((resolve) => started.on('exit', resolve))
    const printed = await new Promise<string>((resolve) => started.stdout.once('data', (text) => resolve(String(text))))
    const { origin, searchParams } = new URL(printed.trim())
    const headers = { authorization: `Bearer ${searchParams.get('token')}` }
    expect((await fetch(origin)).status).toBe(401)
    expect(await (await fetch(origin, { headers })).text()).toContain('/studio.js')
    for (const file of ['studio.js', 'language-worker.js'])
      expect((await fetch(`${origin}/${file}`, { headers })).status).toBe(200)
    expect(await (await fetch(`${origin}/api/files`, { headers })).text()).toContain('joust.yaml')
    started.kill('SIGINT')
    expect(await ended).toBe(130)
  })

  test("a user's own module is imported, with the packages of the user", () => {
    const text =
      "import { printable } from '@joust/source'\nexport default async ({ prompt }) => printable(prompt.slice(0, 5))\n"
    writeFileSync(join(project, 'agent.mjs'), text)
    writeFileSync(join(project, 'review.oatf.yaml'), reviewAttack)
    writeFileSync(join(project, 'own.yaml'), 'attacks: review.oatf.yaml\ntargets: { mine: { module: ./agent.mjs } }\n')
    const { status, stdout, stderr } = joust('run', '--config', 'own.yaml', '--quiet', '--json')
    // So short an answer does not show that the agent was working after the bait.
    expect({ status, stderr }).toEqual({ status: 5, stderr: expect.not.stringContaining('Warning') })
    expect(JSON.parse(stdout).targets[0].attacks[0].trials[0].answer).toHaveLength(5)
  })

  test('what V8 made of the bundle is kept for this user only, for each command, and is not needed', () => {
    const kept = join(env.XDG_CACHE_HOME, 'joust', `${process.version}-${process.arch}`)
    joust('validate', 'attacks')
    joust('valdate', 'attacks')
    const chunks = readdirSync(kept)
    const commands = chunks.map((name) => /^start-.*\.cjs\.(.*)$/.exec(name)?.[1])
    expect(commands).toContain('validate')
    expect(commands).not.toContain('valdate')
    for (const name of chunks) writeFileSync(join(kept, name), 'not of V8')
    expect(joust('validate', 'attacks')).toMatchObject({ status: 0 })
    rmSync(env.XDG_CACHE_HOME, { recursive: true })
    writeFileSync(env.XDG_CACHE_HOME, 'not a folder')
    expect(joust('validate', 'attacks')).toMatchObject({ status: 0 })
  })

  /** The text that a browser shows. */
  async function lookAt(file: string): Promise<string | undefined> {
    const browser = await startBrowser()
    if (typeof browser === 'string') return void console.warn(`SKIPPED: the report is not looked at: ${browser}`)
    try {
      const page = await browser.newPage()
      await page.goto(`file://${file}`)
      await drive(page).until(`performance.getEntriesByName('joust-shown').length > 0`)
      return await page.evaluate<string>('document.body.innerText')
    } finally {
      await browser.close()
    }
  }

  function joust(...args: string[]) {
    return run(bin, args)
  }

  function run(command: string, args: string[], cwd = project) {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  /** Puts the output of `prepack` for the command and the studio in place; `npm test` may have built it already. */
  function makeBundle(): void {
    const made = binary === compiled ? undefined : join(dirname(dirname(binary)), 'bundle')
    const bundle = join(root, 'packages/cli/bundle')
    rmSync(bundle, { recursive: true, force: true })
    if (made !== undefined) cpSync(made, bundle, { recursive: true })
    else execFileSync(process.execPath, [join(root, 'scripts/dist/bundle.js')])
    const web = 'packages/studio/dist/web'
    cpSync(join(bundle, 'assets', web), join(root, web), { recursive: true })
  }

  function npm(args: string[], cwd: string): void {
    const { status, stderr } = run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd)
    if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`)
  }
})
