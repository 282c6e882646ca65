/** The workflows and forms in `.github`: what they name exists, and no job has more rights than it needs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isList, isRecord, own, readSource, toDoubles, type Value, type ValueRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const github = join(root, '.github')
const { scripts, engines, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function readYaml(path: string): ValueRecord {
  const source = readSource(readFileSync(join(github, path), 'utf8'))
  const value = source.ok ? toDoubles(source.value.value) : undefined
  if (!isRecord(value)) throw new Error(`${path} cannot be read`)
  return value
}

const record = (value: Value | undefined): ValueRecord => (isRecord(value) ? value : {})
const list = (value: Value | undefined): readonly Value[] => (isList(value) ? value : [])
const jobsOf = (workflow: ValueRecord) => Object.values(record(own(workflow, 'jobs'))).map(record)
const stepsOf = (job: ValueRecord) => list(own(job, 'steps')).map(record)
const names = readdirSync(join(github, 'workflows'))

describe.each(names)('%s', (name) => {
  const workflow = readYaml(join('workflows', name))

  test('reads only, unless a job says otherwise, and ends in time', () => {
    expect(own(workflow, 'permissions')).toEqual({ contents: 'read' })
    for (const job of jobsOf(workflow)) expect(own(job, 'timeout-minutes')).toBeTypeOf('number')
  })

  test('runs what the repository has', () => {
    const commands = jobsOf(workflow)
      .flatMap(stepsOf)
      .flatMap((step) => own(step, 'run') ?? own(record(own(step, 'with')), 'version') ?? [])
    for (const command of commands) {
      const [, script] = /^npm run (?:--silent )?([\w:]+)/.exec(String(command)) ?? []
      const [, file] = /^(?:node )?((?:scripts\/|\.ci\/)\S+)/.exec(String(command)) ?? []
      if (script !== undefined) expect(scripts).toHaveProperty([script])
      if (file !== undefined) expect(existsSync(join(root, file)), file).toBe(true)
    }
  })

  test('actions have a version', () => {
    for (const step of jobsOf(workflow).flatMap(stepsOf)) expect(String(own(step, 'uses') ?? '@v0')).toMatch(/@v\d+$/)
  })
})

test('the tests run on the oldest supported version of Node.js and two later ones', () => {
  const [job] = jobsOf(readYaml('workflows/test.yml'))
  const matrix = record(own(record(own(job ?? {}, 'strategy')), 'matrix'))
  expect(own(matrix, 'node')).toEqual([Number(/\d+/.exec(engines.node)?.[0]), 22, 24])
})

test('what the checks install as root is there before they run without its rights', () => {
  const needed = [...readFileSync(join(root, '.ci/run'), 'utf8').matchAll(/apt-get install ([^;]+);/g)]
    .flatMap(([, words = '']) => words.trim().split(/\s+/))
    .filter((word) => !word.startsWith('-'))
  expect(needed).toContain('postgresql')
  for (const name of names)
    for (const job of jobsOf(readYaml(join('workflows', name)))) {
      const commands = stepsOf(job).map((step) => String(own(step, 'run') ?? ''))
      const at = commands.indexOf('.ci/run')
      if (at === -1) continue
      const before = commands.slice(0, at)
      const installed = before.flatMap((command) => /sudo apt-get install (.+)/.exec(command)?.[1]?.split(' ') ?? [])
      // Another Chromium, which the checks find by its variable.
      if (before.some((command) => /CHROMIUM=.+GITHUB_ENV/.test(command))) installed.push('chromium-headless-shell')
      expect(installed).toEqual(expect.arrayContaining(needed))
    }
})

test('the documentation site is built for every change', () => {
  const commands = jobsOf(readYaml('workflows/test.yml'))
    .flatMap(stepsOf)
    .flatMap((step) => own(step, 'run') ?? [])
  expect(commands).toContain('npm run docs:build')
})

test('only the job that publishes may sign a provenance, and it writes nothing', () => {
  const signing = names
    .flatMap((name) => jobsOf(readYaml(join('workflows', name))))
    .filter((job) => 'id-token' in record(own(job, 'permissions')))
  expect(signing.map((job) => own(job, 'permissions'))).toEqual([{ contents: 'read', 'id-token': 'write' }])
})

test.each(['bug.yml', 'feature.yml', 'outcome.yml'])('the form %s asks for something that is required', (name) => {
  const body = list(own(readYaml(join('ISSUE_TEMPLATE', name)), 'body')).map(record)
  expect(body.some((field) => own(record(own(field, 'validations')), 'required') === true)).toBe(true)
  const ids = body.flatMap((field) => own(field, 'id') ?? [])
  expect(new Set(ids).size).toBe(ids.length)
})

test('vulnerabilities are reported in private, at the home of the project', () => {
  expect(JSON.stringify(readYaml('ISSUE_TEMPLATE/config.yml'))).toContain(`${homepage}/security/advisories/new`)
})
