/** Processes of the command, as users start them, that are killed with −9 in the middle of a run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { CampaignStatus, ResultRow } from '@joust/fleet'
import type { Results } from '@joust/results'
import { expect, onTestFinished, test } from 'vitest'
import { pause } from '../../../fleet/test/participants.ts'
import { withPostgres } from '../../../fleet/test/server.ts'
import { listenForTest } from '../../../io/test/loopback.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { binary } from '../spawned.ts'
import { folder } from '../world.ts'
import { campaignAt } from './campaign.ts'

const TIMEOUT = 240_000
const FILES = ['a.oatf.yaml', 'b.oatf.yaml']
const BOUNDS = [
  '--prompt',
  PROMPT,
  '--grace',
  '0',
  '--observe',
  '0',
  '--trials',
  '3',
  '--arms',
  'none',
  '--no-preflight',
]

withPostgres('kill −9 of the command', (server) => {
  test(
    'of a worker in mid-run: another worker makes its runs, and the submitter gets each result once',
    async () => {
      const { model, coordinator, worker, books } = await world(server().database('worker_killed'))
      const submitted = coordinator()
      const first = worker('first')
      await model.isAsked(2)
      await kill(first)
      model.answer()
      worker('second')
      expect(await submitted.ended).toBe(3)
      expect(await books()).toEqual({ status: ALL, workers: ['second'] })
      // What the first had begun was begun again.
      expect(model.begun()).toBe(8)
    },
    TIMEOUT,
  )

  test(
    'of the command that submitted, then of the worker as well: the same command goes on',
    async () => {
      const { model, coordinator, worker, books, done } = await world(server().database('both_killed'))
      const submitted = coordinator()
      const first = worker('first')
      await model.isAsked(2)
      await kill(submitted)
      // The worker does not need the command: it records what it has, and is in the middle of the next run.
      while ((await done()) === 0) {
        model.answerSome()
        await pause(50)
      }
      await model.isAsked(1)
      await kill(first)
      model.answer()
      const again = coordinator()
      worker('second')
      expect(await again.ended).toBe(3)
      expect(again.said()).toMatch(/campaign n: [1-5] runs? remaining/)
      expect(await books()).toEqual({ status: ALL, workers: ['first', 'second'] })
    },
    TIMEOUT,
  )
})

/** Two documents, three times each. */
const ALL = {
  runs: 6,
  open: 0,
  late: 0,
  outcomes: expect.objectContaining({ exploited: 6 }),
  state: 'open',
  running: 0,
}

/** A campaign of the command against a model that answers when it is allowed to. */
async function world(url: string) {
  const model = await slowModel()
  const cwd = folder(Object.fromEntries(FILES.map((file) => [file, SERVER])))
  const start = (...argv: string[]) => startCommand([...argv, '--queue', url], cwd, model.env)
  const { look, results } = campaignAt(url, cwd)
  const status = async (): Promise<CampaignStatus> => JSON.parse((await look('status', '--json')).stdout)
  return {
    model,
    coordinator: () =>
      start('run', ...FILES, ...BOUNDS, '--model', 'openai-compatible/slow', '--name', 'n', '--out', 'out'),
    /** The worker that is killed has a short lease; the one that continues may be slow. */
    worker: (name: 'first' | 'second') => {
      const lease = name === 'first' ? '1s' : '4s'
      return start('worker', '--name', name, '--concurrency', '2', '--lease', lease, '--quiet')
    },
    done: async () => {
      const { runs, open } = await status()
      return runs - open
    },
    /** What the database reports, after comparing it with the rows of the results and with the folder. */
    async books() {
      const { runs, open, late, outcomes, state, running } = await status()
      const rows: readonly ResultRow[] = await results()
      const keys = rows.map(({ file, trial }) => `${file} ${trial}`).sort()
      expect(keys).toEqual(FILES.flatMap((file) => [1, 2, 3].map((trial) => `${file} ${trial}`)))
      const exported: Results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
      expect(exported.stopped).toBeUndefined()
      expect(exported.targets.map(({ name }) => name)).toEqual(['openai-compatible/slow'])
      const trials = exported.targets.flatMap(({ attacks }) =>
        attacks.flatMap((attack) => attack.trials.map(({ trial, outcome }) => `${attack.file} ${trial} ${outcome}`)),
      )
      expect(trials.sort()).toEqual(keys.map((key) => `${key} exploited`))
      const workers = [...new Set(rows.map(({ worker }) => worker))].sort()
      return { status: { runs, open, late, outcomes, state, running }, workers }
    },
  }
}

interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
  said(): string
}

function startCommand(argv: readonly string[], cwd: string, env: object): Started {
  const child = spawn(process.execPath, [binary, ...argv], { cwd, env: { ...process.env, ...env } })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { process: child, ended, said: () => said }
}

async function kill({ process: child, ended, said }: Started): Promise<void> {
  expect(child.exitCode, said()).toBeNull()
  child.kill('SIGKILL')
  await ended
}

/** A model that sends a letter to a stranger when it has tools, once it may answer. */
async function slowModel() {
  const held = new Map<ServerResponse, string>()
  let isHolding = true
  let begun = 0
  const answerAll = () => {
    for (const [response, asked] of held) answerTo(response, asked)
  }
  const http = createServer((request, response) => {
    let asked = ''
    request.on('data', (text) => (asked += text))
    request.on('end', () => {
      if (!hasLetter(asked)) begun += 1
      held.set(response, asked)
      response.on('close', () => held.delete(response))
      if (!isHolding) answerAll()
    })
  })
  const origin = await listenForTest(http)
  return {
    env: { OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1` },
    /** How many runs have reached it. */
    begun: () => begun,
    /** Waits until this many runs are waiting for an answer. */
    async isAsked(times: number) {
      while (held.size < times) await pause(20)
    },
    /** Answers the runs that are waiting now. */
    answerSome: answerAll,
    /** From now on it answers at once. */
    answer() {
      isHolding = false
      answerAll()
    },
  }
}

function hasLetter(asked: string): boolean {
  return asked.includes('"role":"tool"')
}

function answerTo(response: ServerResponse, asked: string): void {
  const letter = JSON.stringify({ to: 'post@stranger.example', text: 'the notes' })
  const call = { id: 'c1', type: 'function', function: { name: 'send_letter', arguments: letter } }
  const [message, finish_reason] = hasLetter(asked)
    ? [{ role: 'assistant', content: 'It is sent.' }, 'stop']
    : [{ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls']
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason }], usage }),
  )
}
