/** Options that would have no effect are refused: silence would look like one. */
import type { ResultTarget } from '@joust/arena'
import type { RunWords } from './options.ts'

type Kind = ResultTarget['kind']

/** Which targets an option goes with. */
const rows: readonly { readonly option: string; readonly key: keyof RunWords; readonly kinds: readonly Kind[] }[] = [
  { option: '--bind', key: 'bind', kinds: ['agent'] },
  { option: '--config', key: 'config', kinds: ['agent', 'model'] },
  { option: '--script', key: 'script', kinds: ['agent', 'model'] },
  { option: '--in-process', key: 'inProcess', kinds: ['agent', 'model'] },
  { option: '--header', key: 'header', kinds: ['endpoint'] },
  { option: '--prompt', key: 'prompt', kinds: ['agent', 'model', 'endpoint', 'command'] },
  { option: '--budget-tokens', key: 'budgetTokens', kinds: ['agent', 'model'] },
  { option: '--budget-calls', key: 'budgetCalls', kinds: ['agent', 'model'] },
]

const names: { readonly [kind in Kind]: string } = {
  agent: '--agent',
  model: '--model',
  endpoint: '--target',
  command: '--exec',
  'self-play': '--wire',
  none: 'no target',
}

/** What is given and cannot be used, a sentence each. */
export function optionFaults(words: RunWords, { kind }: ResultTarget): string[] {
  const useless = rows.filter(({ key, kinds }) => words[key] !== undefined && !kinds.includes(kind))
  // A judge has calls of its own to count.
  const judged = words.judge !== undefined
  const faults = useless
    .filter(({ key }) => !(judged && (key === 'budgetTokens' || key === 'budgetCalls')))
    .map(
      ({ option, kinds }) =>
        `${option} goes with ${kinds.map((one) => names[one]).join(' or ')}, not with ${names[kind]}`,
    )
  const approval = words.approve !== undefined && words.approve !== 'none' && kind !== 'agent' && kind !== 'model'
  return [
    ...faults,
    ...(approval ? [`--approve goes with --agent or --model, not with ${names[kind]}`] : []),
    ...(words.prompt === '' ? ['--prompt is empty'] : []),
    ...(words.forceBaseline === true && words.baseline === undefined ? ['--force-baseline goes with --baseline'] : []),
  ]
}
