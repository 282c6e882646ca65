/** The tables of frameworks: each row is tried with the agent in `peers/init`, and recognizes it. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../../../scripts/repository.ts'
import { javascriptForms } from '../../../src/init/frameworks/javascript.ts'
import { pythonForms } from '../../../src/init/frameworks/python.ts'
import { folder, joust } from '../../world.ts'

const home = join(repositoryRoot(), 'peers/init')
const names = readdirSync(home, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const forms = [...javascriptForms, ...pythonForms]
const record: Readonly<Record<string, { readonly version: string }>> = JSON.parse(readFileSync(`${home}.json`, 'utf8'))

describe.each(names)('%s', (name) => {
  test('is recognized and called', async () => {
    const cwd = folder({})
    cpSync(join(home, name), cwd, { recursive: true, filter: (from) => !/node_modules|\.venv|__pycache__/.test(from) })
    const { stdout } = await joust(['init'], { cwd })
    const [, title] = /^found an agent built with (.+): \w+ in agent\.\w+$/m.exec(stdout) ?? []
    const isPython = stdout.includes('in agent.py\n')
    const form = (isPython ? pythonForms : javascriptForms).find((one) => one.title === title)
    const written = readFileSync(join(cwd, isPython ? 'joust_agent.py' : 'joust.agent.mjs'), 'utf8')
    for (const line of form?.call.lines ?? ['no form']) expect(written).toContain(line)
  })

  test('is in the record, with the version of its row unless another version or package is tried', () => {
    const version = record[name]?.version ?? 'none'
    const isOther = /-\d+$/.test(name) || ['deepagents', 'pydantic-ai-plain'].includes(name)
    expect([version, forms.some(({ tried }) => tried === version)]).toEqual([expect.stringMatching(/^\d/), !isOther])
  })
})
