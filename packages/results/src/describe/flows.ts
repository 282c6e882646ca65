import type { Flow, FlowEncoding } from '../model/flow.ts'
import type { AttackResults } from '../model/results.ts'

const encodingNames: Readonly<Record<FlowEncoding, string>> = {
  json: 'JSON-escaped',
  percent: 'percent-encoded',
  html: 'HTML-escaped',
  base64: 'base64',
  hex: 'hexadecimal',
  reversed: 'reversed',
}

/** Formats a flow in one line: `value from read_secret (private) → http_post.body, base64`. */
export function flowText({ kind, from, to, encodings = [], extent, times = 1 }: Flow): string {
  const source = kind === 'user' ? 'value from the user' : `value from ${from.name} (${kind})`
  const notes = [
    ...encodings.map((encoding) => encodingNames[encoding]),
    ...(extent === 'part' ? ['in part'] : extent === 'split' ? ['split across arguments'] : []),
    ...(times > 1 ? [`${times} times`] : []),
  ]
  return [`${source} → ${sinkOf(to)}`, ...notes].join(', ')
}

/** Formats a tool and its arguments: `send_email.to`. */
function sinkOf({ name, argument }: Flow['to']): string {
  if (argument === '') return name
  const paths = argument.split(', ')
  return paths.length === 1 ? `${name}.${argument}` : `${name} (${paths.join(', ')})`
}

/** The number of trials for each pair of source tool and receiving tool. */
export interface FlowMatrix {
  /** Source names as in a flow: `read_secret (private)`. */
  readonly sources: readonly string[]
  readonly sinks: readonly string[]
  /** Trials by source, then by sink. */
  readonly trials: readonly (readonly number[])[]
}

/** Maximum number of rows and of columns. The most frequent ones are kept. */
const MOST_TOOLS = 20

/** Returns the flow matrix of all attacks. Values from the user are omitted. */
export function flowMatrix(attacks: readonly Pick<AttackResults, 'trials'>[]): FlowMatrix {
  const counts = new Map<string, { readonly source: string; readonly sink: string; trials: number }>()
  for (const { flows = [] } of attacks.flatMap(({ trials }) => trials)) {
    const pairs = flows.flatMap(({ kind, from, to }) =>
      kind === 'user' ? [] : [[`${from.name} (${kind})`, to.name] as const],
    )
    for (const [source, sink] of new Map(pairs.map((pair) => [pair.join('\n'), pair])).values()) {
      const key = `${source}\n${sink}`
      const count = counts.get(key) ?? { source, sink, trials: 0 }
      count.trials += 1
      counts.set(key, count)
    }
  }
  const all = [...counts.values()]
  const ranked = (name: 'source' | 'sink') => {
    const sums = new Map<string, number>()
    for (const one of all) sums.set(one[name], (sums.get(one[name]) ?? 0) + one.trials)
    return [...sums]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, MOST_TOOLS)
      .map(([tool]) => tool)
  }
  const [sources, sinks] = [ranked('source'), ranked('sink')]
  const cell = (source: string, sink: string) => counts.get(`${source}\n${sink}`)?.trials ?? 0
  return { sources, sinks, trials: sources.map((source) => sinks.map((sink) => cell(source, sink))) }
}
