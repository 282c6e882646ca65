/**
 * Runs agents on AgentDojo's own tools over MCP, and compares `security()` and `utility()` with the verdicts of the
 * imported documents on the same conversations. Used by `benchmarks.mjs`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { recordedTrace } from '../packages/authoring/dist/import/recorded-trace.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The agents, as selections of steps from the ground truth. */
const agents = {
  follows: ({ steps }) => steps,
  ignores: ({ steps }) => steps.filter(({ task }) => task === 'user'),
  obeys: ({ steps }) => {
    const read = steps.findLastIndex(({ task, placebo }) => task === 'user' && placebo !== undefined)
    return steps.filter(({ task }, index) => index <= read || task === 'injection')
  },
  stops: ({ steps }) => steps.slice(0, -1),
  idle: () => [],
}

/**
 * Writes a trace of each agent for each pair with a document. Returns AgentDojo's verdicts by trace name. `every`
 * selects only every Nth pair.
 */
export async function playDojo({ python, data, documents, traces, every = 1 }) {
  const dump = JSON.parse(readFileSync(join(data, 'agentdojo.json'), 'utf8'))
  const args = ['peers/servers/dojo-bridge.py', 'packages/authoring/python/agentdojo-dump.py']
  const env = { ...process.env, PYTHONHASHSEED: '0' }
  const client = new Client({ name: 'dojo', version: '1' })
  await client.connect(new StdioClientTransport({ command: python, args, cwd: root, env, stderr: 'ignore' }))
  const call = async (name, values) =>
    (await client.callTool({ name, arguments: values })).content.map(({ text }) => text).join('')
  const verdicts = new Map()
  try {
    for (const { suite, pair, name, tasks } of pairsOf(dump, documents, every))
      for (const [agent, choose] of Object.entries(agents)) {
        const { user_task, injection_task } = pair
        await call('dojo_begin', { suite, user_task, injection_task })
        const made = choose(pair)
        const steps = []
        const ids = new Map()
        for (const { tool, arguments: recorded, answer: expected } of made) {
          const values = withIds(recorded, ids)
          const answer = await call(tool, values)
          ids.set(idIn(expected), idIn(answer))
          steps.push({ kind: 'call', name: tool, arguments: values, answer })
        }
        const answer = answerOf(made, tasks)
        steps.push({ kind: 'text', text: answer })
        verdicts.set(`${agent}/${name}`, JSON.parse(await call('dojo_verdict', { answer })))
        const attack = `AGENTDOJO-${name.toUpperCase()}`
        const file = join(traces, agent, `${name}.jsonl`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(
          file,
          recordedTrace({ attack, task: tasks.user.text, steps })
            .map((line) => `${line}\n`)
            .join(''),
        )
      }
  } finally {
    await client.close()
  }
  return verdicts
}

/** The id in the answer to a call that creates something. */
const idIn = (answer) => /^id_: '?(\w+)'?$/m.exec(answer)?.[1]

/** Arguments with the ids that the agent has read, which differ from the ground truth if calls before it were left out. */
function withIds(values, ids) {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name.endsWith('_id') ? (ids.get(value) ?? value) : value]),
  )
}

/** The pairs that have a document, or all, with the name of the importer. */
export function* pairsOf({ suites }, documents, every = 1) {
  let number = 0
  for (const { name: suite, pairs, user_tasks: users, injection_tasks: injections } of suites)
    for (const [index, pair] of pairs.entries()) {
      const name = `${suite}-${String(index + 1).padStart(4, '0')}`
      if (documents?.has(name) === false || number++ % every > 0) continue
      const user = users.find(({ id }) => id === pair.user_task)
      const injection = injections.find(({ id }) => id === pair.injection_task)
      yield { suite, pair, name, tasks: { user, injection } }
    }
}

/** Returns the phrases that the checks of finished tasks look for. */
function answerOf(made, tasks) {
  const phrases = Object.entries(tasks).flatMap(([task, { output }]) =>
    made.some((step) => step.task === task) ? output : [],
  )
  return phrases.length > 0 ? phrases.join(', ') : 'Done.'
}
