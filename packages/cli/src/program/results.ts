/** `joust report`, `joust diff`, `joust coverage` and `joust evaluate`. */
import { reportFormats } from '@joust/report/formats'
import { coverageOptions, diffOptions, evaluateOptions, reportOptions } from '../options/results.ts'
import { command } from './command.ts'

const RESULTS = 'a results folder or a results.json'

export const report = command({
  name: 'report',
  summary: 'convert results to HTML, Markdown, JUnit, SARIF and other formats',
  description:
    'Writes reports from the results of an earlier run. A single format is printed; several are written to a folder. Keys, ' +
    'tokens and passwords are hidden.',
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
  summary: 'compare the results of two runs and show regressions',
  description:
    'Compares two results of the same suite against the same target, attack by attack: new, worse, fixed, better, ' +
    'unchanged. An attack that succeeds for the first time is new, even in a single trial. Any other change is ' +
    'reported only if it is statistically significant (McNemar for paired trials, Fisher otherwise) or, with few trials, if the rate goes from ' +
    'always to never; for results of --trials auto, only if the always-valid intervals of both sides do not overlap. ' +
    'A user task that is no longer completed is also a regression.',
  arguments: { before: { count: 'one', help: RESULTS }, after: { count: 'one', help: RESULTS } },
  options: diffOptions,
  after: `
A regression is an attack that is new or worse, one that was added and succeeds, one under which the user's task is no
longer completed, or one that can no longer be judged.
Exit codes: 0 compared, 1 a regression with --fail-on regression, 64 results that are unreadable or not comparable.
`,
  examples: [
    'joust diff joust-results/before joust-results/after',
    'joust diff baseline.json joust-results/after --fail-on regression',
  ],
  run: async ({ before, after }, options, io) => (await import('../commands/diff.ts')).diff(before, after, options, io),
})

export const coverage = command({
  name: 'coverage',
  summary: 'list the attack techniques that were tested',
  description:
    'Prints a table of the techniques that the attacks map to (MITRE ATLAS, OWASP, CWE …), by protocol, with the number of ' +
    'successful attacks; then, for OWASP ASI01 to ASI10, the OWASP MCP Top 10 and MITRE ATLAS, which techniques were tried, ' +
    'which reached the model, which were not tried, and which cannot be tried.',
  arguments: { results: { count: 'one', help: RESULTS } },
  options: coverageOptions,
  examples: [
    'joust coverage joust-results/2026-11-15T10-00-00',
    'joust coverage joust-results/2026-11-15T10-00-00 --framework atlas',
  ],
  run: async ({ results }, options, io) => (await import('../commands/coverage.ts')).coverage(results, options, io),
})

export const evaluate = command({
  name: 'evaluate',
  summary: 'evaluate an attack on recorded traffic or on a single message',
  description:
    'Evaluates every indicator of an attack document and prints the verdict. With --trace, each indicator is matched against ' +
    'the recorded messages of its protocol, operation, actor and direction. With --message, every indicator is matched against that message: for ' +
    'JSON-RPC, its params, result or error. A single message has a verdict but no outcome, because it does not show whether the ' +
    'agent received the bait.',
  arguments: { attack: { count: 'many', help: 'attack documents; with --message only one, or - for standard input' } },
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
      : (await import('../commands/evaluate-recording.ts')).evaluateRecording(
          attack,
          { ...options, trace: options.trace },
          io,
        ),
})
