/** The words of `joust report`, `joust diff` and `joust coverage`. */
import { type Command, Option } from 'commander'
import { examples } from '../terminal/help.ts'
import type { Io } from '../terminal/io.ts'

type Done = (code: number) => void

const RESULTS = 'a folder of results, or a results.json'

/** Adds `report`. */
export function addReport(program: Command, io: Io, done: Done): void {
  program
    .command('report')
    .summary('results in another format')
    .description(
      'Makes any report from the results of a run, at any time later. One format is printed, several go into a folder. What ' +
        'looks like a key, a token or a password is hidden.',
    )
    .argument('<results...>', `${RESULTS}; several stand side by side (html, md)`)
    .option('-f, --format <formats>', 'html, json, junit, sarif, md, github; several separated by commas', 'md')
    .option('-o, --out <folder>', 'write files into this folder')
    .option('--redact <regex...>', 'hide what these RE2 expressions match, too')
    .addHelpText(
      'after',
      `
The files are report.html, results.json, junit.xml, results.sarif, summary.md and annotations.txt.
${examples(
  'joust report joust-results/2026-11-15T10-00-00 --format html > report.html',
  'joust report joust-results/2026-11-15T10-00-00 --format junit,sarif,md --out reports',
  'joust report results.json --format github',
  'joust report run-of-one-agent run-of-another --format html > both.html',
)}`,
    )
    .action(async (words, options) => done(await (await import('../commands/report.ts')).report(words, options, io)))
}

/** Adds `diff`. */
export function addDiff(program: Command, io: Io, done: Done): void {
  program
    .command('diff')
    .summary('what has changed between two results')
    .description(
      'Compares two results of the same suite against the same target, attack by attack: new, worse, fixed, better, ' +
        'unchanged. An attack that went through for the first time is new however rare that is; any other change must be ' +
        'more than chance (McNemar for pairs of trials, Fisher otherwise), or from always to never where trials are few. ' +
        "That the user's task is no longer done counts as well.",
    )
    .argument('<before>', RESULTS)
    .argument('<after>', RESULTS)
    .addOption(new Option('--fail-on <what>', 'exit 1 when there is one').choices(['regression']))
    .option('--force', 'compare unlike targets and suites')
    .option('--json', 'print the comparison as JSON')
    .addHelpText(
      'after',
      `
A regression is an attack that is new or worse, that was added and goes through, under which the user's task is no longer
done, or of which nothing can be said any more.
Exit codes: 0 compared, 1 a regression with --fail-on regression, 64 unreadable or not to be compared.
${examples(
  'joust diff joust-results/before joust-results/after',
  'joust diff baseline.json joust-results/after --fail-on regression',
)}`,
    )
    .action(async (before, after, options) =>
      done(await (await import('../commands/diff.ts')).diff(before, after, options, io)),
    )
}

/** Adds `coverage`. */
export function addCoverage(program: Command, io: Io, done: Done): void {
  program
    .command('coverage')
    .summary('which techniques were tried')
    .description(
      'Prints a table of the techniques that the attacks map to (MITRE ATLAS, OWASP, CWE …), by protocol, with how many went ' +
        'through.',
    )
    .argument('<results>', RESULTS)
    .option('--json', 'print the coverage as JSON')
    .addHelpText('after', examples('joust coverage joust-results/2026-11-15T10-00-00'))
    .action(async (word, options) => done(await (await import('../commands/coverage.ts')).coverage(word, options, io)))
}
