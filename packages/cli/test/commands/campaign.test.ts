import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPostgres } from '../../../fleet/test/server.ts'
import { agentText, teamText } from '../agents.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { BAD, folder, joust } from '../world.ts'

const TIMEOUT = 180_000
const RUN = ['--prompt', PROMPT, '--grace', '0', '--observe', '0'] as const

withPostgres('campaigns', (server) => {
  const campaign = (name: string, cwd: string) => {
    const queue = ['--queue', server().database(name)]
    const at = { cwd }
    return {
      submit: (...args: string[]) =>
        joust(['run', 'a.oatf.yaml', ...RUN, ...args, ...queue, '--name', 'n', '--detach'], at),
      run: (...args: string[]) => joust(['run', 'a.oatf.yaml', ...RUN, ...args, ...queue, '--name', 'n'], at),
      work: (args: readonly string[] = [], env = {}) =>
        joust(['worker', ...queue, '--drain', ...args], { cwd: folder(), env }),
      look: (what: string, ...args: string[]) => joust(['campaign', what, ...args, ...queue], at),
    }
  }

  test(
    'submitted, worked on, looked at, exported, compared, deleted',
    async () => {
      const cwd = folder({ 'a.oatf.yaml': SERVER })
      const { submit, run, work, look } = campaign('whole', cwd)
      expect(await submit('--model', 'sim/credulous', '--trials', '3')).toMatchObject({ code: 0, stdout: 'n\n' })
      expect((await look('list')).stdout).toMatch(/^n {2}open {2}0\/3 /)
      const worked = await work()
      expect(worked.code).toBe(0)
      expect(worked.stderr).toContain('3 results recorded')
      expect((await look('status', 'n')).stdout).toMatch(/^n {2}done {2}3\/3 · 3 exploited/)
      const what = ['--model', 'sim/credulous', '--trials', '3']
      await joust(['run', 'a.oatf.yaml', ...RUN, ...what, '--out', 'here', '--report', 'json'], { cwd })
      const after = await run(...what, '--out', 'fleet', '--report', 'md', '--baseline', 'here')
      expect(after).toMatchObject({ code: 3 })
      expect(after.stdout).toContain('3/3')
      expect(after.stderr).toContain('compared with the baseline: 1 unchanged')
      expect(readdirSync(join(cwd, 'fleet', 'traces', 'model-sim-credulous')).sort()).toEqual([
        'a.1.jsonl',
        'a.2.jsonl',
        'a.3.jsonl',
      ])
      for (const file of ['fleet/results.json', 'fleet/traces/model-sim-credulous/a.1.jsonl'])
        expect(statSync(join(cwd, file)).mode & 0o77).toBe(0)
      const diff = await joust(['diff', 'here', 'fleet', '--fail-on', 'regression'], { cwd })
      expect(diff).toMatchObject({ code: 0 })
      expect(diff.stdout).toContain('unchanged')
      // An exported folder is a baseline, and can be reported, like any other.
      expect(await look('results', 'n', '--out', 'again')).toMatchObject({ code: 0 })
      const based = [...RUN, ...what, '--out', 'based', '--baseline', 'again', '--fail-on', 'regression']
      expect(await joust(['run', 'a.oatf.yaml', ...based], { cwd })).toMatchObject({ code: 0 })
      expect(await joust(['report', 'again', '--format', 'md'], { cwd })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('TEST-001'),
      })
      expect(await look('results', 'n', '--out', '/proc/x')).toMatchObject({
        code: 10,
        stderr: expect.stringContaining('cannot write the results: '),
      })
      const asked = await look(
        'results',
        'n',
        '--outcome',
        'exploited',
        '--severity',
        'high',
        '--since',
        '1h',
        '--json',
      )
      expect(JSON.parse(asked.stdout)).toHaveLength(3)
      expect((await look('results', 'n', '--severity', 'low')).stdout).toBe('0 results\n')
      expect((await look('cancel', 'n')).stdout).toBe('already finished\n')
      expect((await look('delete', 'n', '--traces-older-than', '0')).stdout).toBe('deleted 3 traces\n')
      expect((await look('delete', 'n')).stdout).toBe('deleted\n')
      expect(await look('status', 'n')).toMatchObject({ code: 64 })
    },
    TIMEOUT,
  )

  test(
    'an agent travels with the files that it refers to',
    async () => {
      const child = agentText({ id: 'child' })
      const cwd = folder({
        'a.oatf.yaml': SERVER,
        'agents/team.agf.yaml': teamText('child.agf.yaml'),
        'agents/child.agf.yaml': child,
      })
      const { submit, work, look } = campaign('files', cwd)
      const submitted = await submit('--agent', 'agents/team.agf.yaml', '--model', 'sim/silent')
      expect(submitted).toMatchObject({ code: 0 })
      rmSync(join(cwd, 'agents'), { recursive: true })
      expect((await work()).stderr).not.toContain('cannot attack')
      expect((await look('status', 'n')).stdout).toContain('1/1')
    },
    TIMEOUT,
  )

  test(
    'keys are sent by name only; a worker without one names it',
    async () => {
      const { submit, work, look } = campaign('keys', folder({ 'a.oatf.yaml': SERVER }))
      expect(await submit('--model', 'openai/some')).toMatchObject({ code: 0 })
      const { stderr } = await work([], {})
      expect(stderr).toContain(
        'this worker cannot attack model openai/some: --model openai/some: missing API key for openai (set OPENAI_API_KEY)',
      )
      const { stdout } = await look('status', 'n')
      expect(stdout).toContain('n  open  0/1')
      expect(stdout).toMatch(/target {3}model openai\/some\n {13}skipped by \S+: .*set OPENAI_API_KEY\), last at 20/)
      const stop = AbortSignal.timeout(1500)
      const watched = await joust(['campaign', 'watch', 'n', '--queue', server().database('keys')], {
        interruption: stop,
      })
      expect(watched.stderr).toMatch(/0\/1 · no run in progress: skipped by \S+: .*set OPENAI_API_KEY/)
    },
    TIMEOUT,
  )

  test(
    'what looks like a secret does not travel',
    async () => {
      const { submit } = campaign('secrets', folder({ 'a.oatf.yaml': SERVER }))
      const { code, stderr } = await submit(
        '--target',
        'ag_ui=http://127.0.0.1:9/',
        '--header',
        'authorization=Bearer abc',
      )
      expect(code).toBe(64)
      expect(stderr).toContain('secrets are not sent to workers')
    },
    TIMEOUT,
  )

  test(
    'commands run only where that is allowed',
    async () => {
      const { submit, work, look } = campaign('commands', folder({ 'a.oatf.yaml': SERVER }))
      expect(await submit('--exec', 'node -e 0')).toMatchObject({ code: 0 })
      expect((await work()).stderr).toContain('this worker runs without --allow-exec')
      expect((await look('status', 'n')).stdout).toContain('n  open  0/1')
      const { stderr } = await work(['--allow-exec'], { PATH: process.env.PATH })
      expect(stderr).toContain('preflight failed, 1 run inconclusive')
      expect((await look('status', 'n')).stdout).toContain('1/1 · 1 inconclusive')
    },
    TIMEOUT,
  )

  test(
    'a cancelled campaign is not worked on, and its results say so',
    async () => {
      const { submit, work, look, run } = campaign('cancelled', folder({ 'a.oatf.yaml': SERVER }))
      await submit('--model', 'sim/credulous')
      expect((await look('cancel', 'n')).stdout).toMatch(/^cancelled/)
      expect((await work()).stderr).toContain('0 results recorded')
      expect((await run('--model', 'sim/credulous')).stderr).toContain('is cancelled: use another --name')
      expect((await look('results', 'n', '--out', 'out')).stderr).toContain('INCOMPLETE: 1 of 1 runs have no result')
    },
    TIMEOUT,
  )

  test(
    'an invalid document, a wrong URL, an unknown campaign',
    async () => {
      const cwd = folder({ 'a.oatf.yaml': BAD })
      const { submit, look } = campaign('wrong', cwd)
      expect((await submit('--model', 'sim/silent')).stderr).toContain(
        'a.oatf.yaml is not valid, so nothing was submitted',
      )
      expect(await look('status', 'nn')).toMatchObject({ code: 64 })
      const wrong = await joust(['worker', '--queue', 'redis://x'], { cwd })
      expect(wrong).toMatchObject({ code: 64, stderr: 'joust: --queue expects postgres://HOST:PORT/DATABASE\n' })
      const both = await look('results', 'nn', '--out', 'x', '--json')
      expect(both).toMatchObject({ code: 64, stderr: expect.stringMatching(/--out .*--json|--json .*--out/) })
      const short = await joust(['worker', '--queue', 'postgres://127.0.0.1:9/x', '--lease', '20ms'], { cwd })
      expect(short).toMatchObject({ code: 64, stderr: 'joust: --lease expects at least 1s, not "20ms"\n' })
    },
    TIMEOUT,
  )
})
