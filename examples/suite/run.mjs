/** `node run.mjs AGENT OUT ATTACK…`: runs attacks on an agent; the results and their traces go to the folder OUT. */
import { readFileSync } from 'node:fs'
import { createProver } from '@joust/adaptive/prover'
import { loadAgent } from '@joust/agentformat'
import { load, unwrap } from '@joust/oatf'
import { saveResults } from '@joust/results/files'
import { agentTarget } from '@joust/targets/agent'
import { finishSuite, openSuiteFolder, runSuite } from '@joust/trials'

const [agentFile, out, ...files] = process.argv.slice(2)
const attacks = files.map((file) => ({ file, attack: unwrap(load(readFileSync(file, 'utf8'))) }))
const { agent } = unwrap(await loadAgent(agentFile, { read: async ({ source }) => readFileSync(source, 'utf8') }))
// Without a proof that it can work, an attack is never resisted.
const proofs = await createProver().prove(attacks)
const suite = runSuite(attacks, {
  about: { kind: 'agent', name: agent.document.metadata.id },
  folder: unwrap(await openSuiteFolder(out, { files })),
  run: ({ attack }) => ({ target: agentTarget({ agent, inProcess: true }), known: proofs.get(attack.fingerprint) }),
})
const results = await finishSuite(suite, ({ file, trial }) => console.log(trial.outcome, file))
console.log(unwrap(saveResults(out, results)))
