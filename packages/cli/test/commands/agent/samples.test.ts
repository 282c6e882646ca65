/** The published examples of Agent Format, run as published with a simulated model. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, own, ownList, ownText, readSource, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../../../scripts/repository.ts'
import { assets } from '../../../src/terminal/assets.ts'
import { folder, joust } from '../../world.ts'

const samples = join(repositoryRoot(), '../shared/agent-format/samples')
/** Published with a shorthand that the official schema rejects. */
const INVALID = 'awesome-agents--ops-agent.agf.yaml'

if (!existsSync(samples)) {
  console.warn('SKIPPED: the published examples of Agent Format are not in ../shared, so they are NOT tested')
  test.skip('the published examples', () => {})
} else {
  const names = readdirSync(samples).filter((name) => name.endsWith('.agf.yaml'))
  describe('the published examples', () => {
    test('are there', () => expect(names.length).toBeGreaterThan(5))

    test.each(names.filter((name) => name !== INVALID))('%s runs as published', async (name) => {
      const text = readFileSync(join(samples, name), 'utf8')
      const { files, input } = host(text)
      const argv = ['--input', JSON.stringify(input), '--model', 'sim/cautious', '--approve', 'all', '--memory', 'test']
      const { code, stdout, stderr } = await joust(['agent', 'run', 'a.agf.yaml', ...argv, '--json'], {
        cwd: folder({ 'a.agf.yaml': text, ...files }),
      })
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, usage: { modelCalls: expect.any(Number) } })
    })

    test(`${INVALID} is refused by the official schema`, async () => {
      const cwd = folder({ 'a.agf.yaml': readFileSync(join(samples, INVALID), 'utf8') })
      const { code, stderr } = await joust(['agent', 'run', 'a.agf.yaml', '-i', 'x'], { cwd })
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('schema_violation') })
    })
  })
}

/** A host with everything that an example refers to, and an input for it. */
function host(text: string): { readonly files: Readonly<Record<string, string>>; readonly input: Value } {
  const source = readSource(text)
  const document = source.ok ? source.value.value : null
  const space = own(document, 'action_space') ?? null
  const aliases = (kind: string) => ownList(space, kind).map((entry) => ownText(entry, 'alias') ?? '')
  const servers = ownList(space, 'mcp_servers').map((entry) => ownText(entry, 'server_ref') || ownText(entry, 'alias'))
  const policies = ownList(own(document, 'constraints'), 'governance_policies').map((one) => ownText(one, 'policy_ref'))
  const server = { command: process.execPath, args: [join(assets.agents, 'enterprise/internal-api.mjs')] }
  const bindings = {
    memory: 'process',
    governance: { folder: 'policies' },
    ...(aliases('local_tools').length > 0 && { module: './tools.mjs' }),
    mcp_servers: Object.fromEntries(servers.map((name) => [name, server])),
  }
  return {
    files: {
      'joust.yaml': JSON.stringify({ bindings }),
      'tools.mjs': aliases('local_tools')
        .map((alias) => `export const ${alias} = () => 'done'\n`)
        .join(''),
      'policies/none.json': '{}',
      ...Object.fromEntries(policies.map((ref) => [`policies/${ref}.json`, '{}'])),
    },
    input: inputFor(own(own(document, 'interface'), 'input') ?? null),
  }
}

function inputFor(schema: Value): Value {
  if (ownText(schema, 'type') === 'string') return 'hello'
  const properties = own(schema, 'properties')
  if (!isRecord(properties)) return {}
  return Object.fromEntries(
    ownList(schema, 'required').map((name) => [String(name), inputFor(properties[String(name)] ?? null)]),
  )
}
