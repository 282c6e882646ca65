/** `joust language-server --stdio`: serves an editor. */
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { serve } from '../language-server/serve.ts'
import type { LanguageServerOptions } from '../options/services.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

export async function languageServer({ stdio }: LanguageServerOptions, io: Io): Promise<number> {
  if (!stdio) return wrongUsage(['missing --stdio; the language server is started by an editor (docs/editors.md)'], io)
  const reader = new StreamMessageReader(process.stdin)
  const connection = createConnection(ProposedFeatures.all, reader, new StreamMessageWriter(process.stdout))
  const closed = new Promise<void>((resolve) => {
    reader.onClose(() => resolve())
    process.stdin.once('end', () => resolve())
  })
  serve(connection, io)
  await closed
  return exitCodes.ok
}
