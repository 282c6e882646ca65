/** `node run.mjs AGENT OUT ATTACK…`: runs attacks on an agent; the results and their traces go to the folder OUT. */
import { readFileSync } from 'node:fs'
import { loadAgent } from '@joust/agentformat'
import { load } from '@joust/oatf'
import { saveResults } from '@joust/results/files'
import { agentTarget } from '@joust/targets/agent'
import { finishSuite, openSuiteFolder, runSuite } from '@joust/trials'

const [agentFile, out, ...files] = process.argv.slice(2)
const attacks = files.map((file) => ({ file, attack: unwrap(load(readFileSync(file, 'utf8'))) }))
const { agent } = unwrap(await loadAgent(agentFile, { read: async ({ source }) => readFileSync(source, 'utf8') }))
const about = { kind: 'agent', name: agent.document.metadata.id }
const suite = runSuite(attacks, {
  about,
  folder: unwrap(await openSuiteFolder(out, { files })),
  run: () => ({ target: agentTarget({ agent, inProcess: true }), limits: { graceMs: 0 } }),
})
const results = await finishSuite(suite, ({ file, trial }) => console.log(trial.outcome, file))
console.log(unwrap(saveResults(out, results)))

function unwrap(result) {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}
