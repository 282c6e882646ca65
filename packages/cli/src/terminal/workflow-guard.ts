/** Keeps what is printed for people from being read as commands of GitHub Actions, which looks at every line of a log. */
import type { Io, Output } from './io.ts'

/** The same world; where GitHub Actions reads along, texts hold no commands. What is written as data stays as it is. */
export function guardLog(io: Io): Io {
  if (io.env.GITHUB_ACTIONS !== 'true') return io
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) }
}

function guarded(output: Output): Output {
  return {
    isTTY: output.isTTY,
    get columns() {
      return output.columns
    },
    write: (text) => output.write(withoutCommands(text)),
    writeData: (text) => output.writeData(text),
  }
}

/** `::` begins a command at the start of a line, `##[` anywhere. In JSON the escapes mean the same text. */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\r\n]*)::/gm, '$1\\u003a:').replaceAll('##[', '##\\u005b')
}
