/** The words of `joust evaluate`. */
import { type Command, Option } from 'commander'
import { examples } from '../terminal/help.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Adds the command. */
export function addEvaluate(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('evaluate')
    .summary('judge recorded traffic, or one message')
    .description(
      'Evaluates every indicator of a document and prints the verdict. With --trace, against recorded traffic: each ' +
        'indicator sees the messages of its protocol, operation, actor and direction. With --message, against one message ' +
        'as if it were the right one; it is what the protocol carries: of a JSON-RPC message the params, result or error.',
    )
    .argument('<attack...>', 'OATF documents; with --message one, or - for standard input')
    .addOption(
      new Option('-t, --trace <file>', 'a trace of joust or ThoughtJack, or - for standard input').conflicts('message'),
    )
    .option('-m, --message <file>', 'the message as JSON or YAML, or - for standard input')
    .option('--json', 'print the verdict as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 0 not exploited, 1 exploited, 2 exploited with a local action, 3 with a boundary breach, 4 partial,
5 nothing can be said (an error, no indicators, an invalid document), 64 wrong usage.
${examples('joust evaluate attack.oatf.yaml --trace joust-results/run/traces/attack.1.jsonl', 'joust evaluate library --trace -', 'joust evaluate attack.oatf.yaml --message answer.json')}`,
    )
    .action(async (attacks: string[], options: { trace?: string; message?: string; json?: boolean }) =>
      done(await evaluate(attacks, options, io)),
    )
}

async function evaluate(
  attacks: readonly string[],
  { trace, message, json = false }: { trace?: string; message?: string; json?: boolean },
  io: Io,
): Promise<number> {
  if (trace !== undefined) {
    return (await import('../commands/evaluate-trace.ts')).evaluateTrace(attacks, { trace, json }, io)
  }
  const [attack, ...others] = attacks
  if (message === undefined || attack === undefined) return wrongUsage(['give --trace FILE or --message FILE'], io)
  if (others.length > 0) return wrongUsage(['one message is judged by one document'], io)
  return (await import('../commands/evaluate.ts')).evaluate(attack, { message, json }, io)
}
