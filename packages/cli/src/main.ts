/** Entry point of the command: argv in, exit code out. No other code turns failures into exit codes. */
import { messageOf } from '@joust/source'
import { CommanderError } from 'commander'
import { commands, createProgram } from './program.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { type Io, type Output, processIo } from './terminal/io.ts'
import { commandLimits } from './terminal/limits.ts'

/** Runs the command for this process. Sets the exit code instead of exiting, so that the output is flushed. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await run(argv, processIo())
  setTimeout(() => process.exit(), commandLimits.lingeringMs).unref()
}

/** Runs the command with these streams and environment and returns its exit code. Never throws. */
export async function run(given: readonly string[], world: Io): Promise<number> {
  const io = guardLog(world)
  // Commander's `help` supports neither commands of a group nor errors for unknown commands.
  const [first, ...words] = given
  const argv = first !== 'help' || words.length === 0 ? given : isCommand(words) ? [...words, '--help'] : words
  let code: number = exitCodes.ok
  const program = createProgram(argv, io, (result) => {
    code = result
  })
  try {
    if (argv.length === 0) program.outputHelp({ error: true })
    else await program.parseAsync(argv, { from: 'user' })
    return argv.length === 0 ? exitCodes.usage : code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const message = messageOf(error)
    io.stderr.write(`joust: internal error, please report it: ${message}\n`)
    return exitCodes.failure
  }
}

function isCommand([name, below]: readonly string[]): boolean {
  const row = commands.find((one) => one.name === name)
  if (row === undefined || below === undefined || !('commands' in row)) return row !== undefined
  return row.commands.some((one) => one.name === below)
}

/** Removes workflow commands from text if GitHub Actions reads the log. Data is written unchanged. */
function guardLog(io: Io): Io {
  if (io.env.GITHUB_ACTIONS !== 'true') return io
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) }
}

function guarded(output: Output): Output {
  return {
    isTTY: output.isTTY,
    get columns() {
      return output.columns
    },
    get rows() {
      return output.rows
    },
    write: (text) => output.write(withoutCommands(text)),
    writeData: (text) => output.writeData(text),
  }
}

/** Escapes workflow commands: `::` at the start of a line, `##[` anywhere. In JSON, the escapes mean the same text. */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\r\n]*)::/gm, '$1\\u003a:').replaceAll('##[', '##\\u005b')
}
