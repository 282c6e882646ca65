/** The commands of the help, and a call of each that ends at once: the installed program is tried with them. */
import { joust as inProcess } from '../packages/cli/test/world.ts'

export const attack = 'attacks/first.oatf.yaml'
const example = (name: string) => `node_modules/joust/bundle/assets/examples/hardening/${name}`
const agent = example('clerk.agf.yaml')
export const sure = ['--model', 'sim/credulous', '--quiet']
const queue = ['--queue', 'postgres://127.0.0.1:1/nobody']
const lost = [10, /pg|ECONNREFUSED/] as const

/** Arguments for each command of the help, with the exit code and a text of what is printed. */
export const trials: Readonly<Record<string, readonly [argv: readonly string[], status: number, text: RegExp]>> = {
  init: [[], 0, /kept/],
  run: [[attack, ...sure, '--report', 'json'], 3, /1 exploited/],
  studio: [['--port', 'x'], 64, /--port/],
  'campaign list': [queue, ...lost],
  'campaign status': [['a', ...queue], ...lost],
  'campaign watch': [['a', ...queue], ...lost],
  'campaign cancel': [['a', ...queue], ...lost],
  'campaign delete': [['a', ...queue], ...lost],
  'campaign results': [['a', ...queue], ...lost],
  worker: [queue, ...lost],
  mutate: [[attack, '--by', 'important-tag'], 0, /IMPORTANT/],
  search: [[attack, '--attacker', 'sim/attacker', ...sure], 3, /exploited/],
  harden: [[agent, '--against', example('bill-note.oatf.yaml'), ...sure], 0, /stopped: 1 of 1/],
  preflight: [['--on', 'nobody'], 64, /nobody/],
  record: [['--on', 'nobody'], 64, /nobody/],
  aim: [['--tools', 'missing.json'], 64, /missing\.json/],
  import: [['injecagent', 'missing', '--out', 'imported'], 64, /missing is not a folder/],
  report: [['tried', '--format', 'sarif'], 0, /"version": ?"2.1.0"/],
  diff: [['tried', 'tried'], 0, /0 regressions/],
  coverage: [['tried'], 0, /technique/],
  prove: [[attack], 0, /1 of 1 document proven/],
  'library list': [[], 0, /JOUST-101/],
  'library show': [['time-bomb'], 0, /^oatf:/],
  'presets list': [[], 0, /codex/],
  'presets show': [['codex'], 0, /name: codex/],
  validate: [['library'], 0, /0 errors/],
  lint: [['library', '--max-warnings', '0'], 0, /0 warnings/],
  fmt: [['--check', attack], 0, /^$/],
  migrate: [[attack], 0, /^/],
  'model serve': [[], 64, /--model/],
  explain: [['V-005'], 0, /closed enumeration/],
  evaluate: [[attack, '--trace', 'tried/traces/attacks-first.1.jsonl'], 3, /exploited/],
  'agent check': [[agent], 0, /^/],
  'agent run': [[example('credulous.agf.yaml'), '--input', '"Hello"'], 0, /Hello/],
  'agent serve': [[agent, '--port', 'x'], 64, /--port/],
  'agent graph': [[agent], 0, /agf\./],
  'agent chat': [['missing.agf.yaml'], 64, /missing\.agf\.yaml: no such file/],
  'agent new': [['helper'], 0, /joust agent run helper\//],
  'language-server': [['--stdio'], 0, /^/],
  conformance: [['.'], 64, /contains no fixtures/],
  demo: [['--out', 'x', 'y'], 64, /^/],
  completion: [['fish'], 0, /complete -c joust/],
}

/** The commands that the help lists, including subcommands. */
export async function commands(...above: string[]): Promise<string[]> {
  const { stdout } = await inProcess([...above, '--help'])
  const list = /^Commands:\n((?: .*\n)+)/m.exec(stdout)?.[1] ?? ''
  const names = [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  if (names.length === 0) return [above.join(' ')]
  return (await Promise.all(names.map((name) => commands(...above, name)))).flat()
}
