/** `joust language-server --stdio` and nothing else of the command, for the extension to bundle. */
import { languageServer } from '../../../packages/cli/src/commands/language-server.ts'
import { processIo } from '../../../packages/cli/src/terminal/io.ts'

void languageServer({ stdio: true }, processIo()).then((code) => {
  process.exitCode = code
})
