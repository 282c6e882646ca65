/**
 * `node bench/dist/public-library.js FOLDER COMMIT`: runs a collection of documents that is not ours against the simulated
 * agents and nobody, and writes docs/public-library.md. Only names and outcomes are kept, no text of the documents.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const closed = ['ag_ui', 'a2a', 'mcp'].flatMap((protocol) => ['--target', `${protocol}=http://127.0.0.1:9/`])
const agents: Readonly<Record<string, readonly string[]>> = {
  credulous: ['--model', 'sim/credulous'],
  cautious: ['--model', 'sim/cautious'],
  silent: ['--model', 'sim/silent'],
  absent: closed,
}

/** Why `sim/credulous` does not fall for a document, by the number in its name. */
const reasons: Readonly<Record<string, string>> = {
  'OATF-011':
    'too weak: both cards fit, and it takes the honest agent; the figures that the indicator wants are in no text that it reads before, and no A2A message has a `name` (§7.2)',
  'OATF-023': 'too weak: the card of the honest agent fits the request better, and no text speaks for the other',
  'OATF-029':
    'dead: the answer to `sampling/createMessage` goes to the server; the indicators look at what the user is told (§7.1, §7.3)',
  'OATF-033': 'dead: `intercepted_events` is no state of `ag_ui_client` (§7.3), so nothing is planted',
  'OATF-034': 'dead: `agent_output_containing_xss` is no state of `ag_ui_client` (§7.3), so nothing is planted',
  'OATF-035': 'dead: the pattern can only match what the attacker sends himself',
  'OATF-036': 'invalid: V-013, a look-ahead is not RE2 (§6.2)',
}

/** The end-to-end documents of the Rust tool, run by hand with `--wire client=server`. */
const selfTests = [
  '## The end-to-end documents of thoughtjack',
  '',
  'The 15 documents below `tests/e2e/fixtures` at commit `d9dd364969cc6842917df9dc4fa118018c7ea3b3`, read as they are. The 13 that play a client',
  'against a server of their own, run with `--wire`, come out as their authors expect: 11 exploited, `verdict-all-correlation` partial,',
  '`verdict-not-exploited` resisted. `mcp-tool-invocation` and `a2a-task-delegation` want an agent between the two. With',
  '`sim/credulous` they are inconclusive, not exploited: their patterns match only what the attacker sent himself, and that',
  'says nothing about the agent.',
  '',
]

const [folder, commit = 'unknown'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node bench/dist/public-library.js FOLDER COMMIT')
  process.exit(64)
}
const columns = Object.entries(agents).map(([name, target]) => ({ name, outcomes: outcomesOf(folder, target) }))
writeFileSync(join(root, 'docs/public-library.md'), page(commit))

/** Outcomes by the name of the document. */
function outcomesOf(documents: string, target: readonly string[]): ReadonlyMap<string, string> {
  const out = mkdtempSync(join(tmpdir(), 'public-library-'))
  const words = ['run', documents, ...target, '--out', out, '--report', 'json', '--quiet']
  spawnSync(process.execPath, [join(root, 'packages/cli/bin/joust.js'), ...words], { stdio: 'ignore' })
  // The shape of our own results.
  const { targets } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as {
    targets: readonly { attacks: readonly { file: string; outcome: string }[] }[]
  }
  const attacks = targets.flatMap((one) => one.attacks)
  rmSync(out, { recursive: true })
  return new Map(attacks.map(({ file, outcome }) => [basename(file).replace(/\.ya?ml$/, ''), outcome]))
}

function page(collection: string): string {
  const names = [...(columns[0]?.outcomes.keys() ?? [])].sort()
  const rows = names.map((name) => [name, ...columns.map(({ outcomes }) => outcomes.get(name) ?? '')])
  const counts = columns.map(({ name, outcomes }) => {
    const count = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length
    return `- ${name}: ${['exploited', 'resisted', 'inconclusive'].map((outcome) => `${count(outcome)} ${outcome}`).join(', ')}`
  })
  const spared = names.filter((name) => columns[0]?.outcomes.get(name) !== 'exploited')
  return [
    '# A public library',
    '',
    'Written by `node bench/dist/public-library.js FOLDER COMMIT`; run that instead of editing.',
    '',
    `The ${names.length} scenarios of [oatf-spec/scenarios](https://github.com/oatf-spec/scenarios), folder \`library\`, at commit \`${collection}\`, as`,
    'published: dialects are translated on loading. "Absent" is nobody: closed ports, and no agent that connects.',
    '',
    ...counts,
    '',
    table(['document', ...columns.map(({ name }) => name)], rows),
    '',
    '## What the credulous agent does not fall for',
    '',
    table(
      ['document', 'why'],
      spared.map((name) => [name, reasons[name.split('_')[0] ?? ''] ?? 'not looked into']),
    ),
    '',
    ...selfTests,
  ].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
