/** `joust report`, `joust diff`, `joust coverage` and `joust evaluate`. */
import { reportFormats } from '@joust/report/formats'
import { coverageOptions, diffOptions, evaluateOptions, reportOptions } from '../options/results.ts'
import { command } from './command.ts'

const RESULTS = 'a folder of results, or a results.json'

export const report = command({
  name: 'report',
  summary: 'results in another format',
  description:
    'Makes any report from the results of an earlier run. One format is printed, several go into a folder. What ' +
    'looks like a key, a token or a password is hidden.',
  arguments: { results: { count: 'many', help: `${RESULTS}; several are shown side by side (html, md)` } },
  options: reportOptions,
  after: `
The files are ${Object.values(reportFormats)
    .map(({ file }) => file)
    .join(', ')}.
`,
  examples: [
    'joust report joust-results/2026-11-15T10-00-00 --format html > report.html',
    'joust report joust-results/2026-11-15T10-00-00 --format junit,sarif,md --out reports',
    'joust report results.json --format github',
    'joust report run-of-one-agent run-of-another --format html > both.html',
  ],
  run: async ({ results }, options, io) => (await import('../commands/report.ts')).report(results, options, io),
})

export const diff = command({
  name: 'diff',
  summary: 'what has changed between two results',
  description:
    'Compares two results of the same suite against the same target, attack by attack: new, worse, fixed, better, ' +
    'unchanged. An attack that got through for the first time is new, however rarely it does; any other change must be ' +
    'more than chance (McNemar for pairs of trials, Fisher otherwise), or from always to never where trials are few. ' +
    "That the user's task is no longer done counts as well.",
  arguments: { before: { count: 'one', help: RESULTS }, after: { count: 'one', help: RESULTS } },
  options: diffOptions,
  after: `
A regression is an attack that is new or worse, one that was added and gets through, one under which the user's task is no
longer done, or one that can no longer be judged.
Exit codes: 0 compared, 1 a regression with --fail-on regression, 64 unreadable, or not comparable.
`,
  examples: [
    'joust diff joust-results/before joust-results/after',
    'joust diff baseline.json joust-results/after --fail-on regression',
  ],
  run: async ({ before, after }, options, io) => (await import('../commands/diff.ts')).diff(before, after, options, io),
})

export const coverage = command({
  name: 'coverage',
  summary: 'which techniques were tried',
  description:
    'Prints a table of the techniques that the attacks map to (MITRE ATLAS, OWASP, CWE …), by protocol, and how many of ' +
    'them got through.',
  arguments: { results: { count: 'one', help: RESULTS } },
  options: coverageOptions,
  examples: ['joust coverage joust-results/2026-11-15T10-00-00'],
  run: async ({ results }, options, io) => (await import('../commands/coverage.ts')).coverage(results, options, io),
})

export const evaluate = command({
  name: 'evaluate',
  summary: 'judge recorded traffic, or one message',
  description:
    'Evaluates every indicator of a document and prints the verdict. With --trace, against recorded traffic: each indicator sees ' +
    'the messages of its protocol, operation, actor and direction. With --message, every indicator sees that one message, which ' +
    'is what the protocol carries: for JSON-RPC, the params, result or error. One message gives a verdict but no outcome, since ' +
    'it does not show what the agent was sent.',
  arguments: { attack: { count: 'many', help: 'OATF documents; with --message one, or - for standard input' } },
  options: evaluateOptions,
  after: `
Exit codes: 0 resisted (with --message: not exploited by it), 1 exploited, 2 exploited with a local action, 3 with a boundary breach, 4 partial,
5 inconclusive (an indicator that cannot be evaluated, no indicators, an invalid document, a trace that cannot be read), 64 wrong usage.
`,
  examples: [
    'joust evaluate attack.oatf.yaml --trace joust-results/run/traces/attack.1.jsonl',
    'joust evaluate library --trace -',
    'joust evaluate attack.oatf.yaml --message answer.json',
  ],
  run: async ({ attack }, options, io) =>
    options.trace === undefined
      ? (await import('../commands/evaluate.ts')).evaluate(attack, options, io)
      : (await import('../commands/evaluate-trace.ts')).evaluateTrace(attack, { ...options, trace: options.trace }, io),
})
