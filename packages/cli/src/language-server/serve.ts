/** The language server: answers editor requests and publishes findings after every change. */
import { setImmediate } from 'node:timers/promises'
import { createLanguage, type FileSpan, type Finding, type TextFile } from '@joust/language'
import { joustVersion } from '@joust/source'
import { presets } from '@joust/targets'
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type Connection,
  ErrorCodes,
  type InitializeResult,
  type Location,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { projectFaults } from '../project/read.ts'
import { projectShape } from '../project/shape.ts'
import type { Io } from '../terminal/io.ts'
import { actionOf, completionOf, diagnosticOf, editsOf, rangeOf, symbolOf } from './answers.ts'
import { editorFiles } from './files.ts'

export function serve(connection: Connection, io: Io): void {
  const server = createServer(connection, io)
  handleQueries(server)
  handleEdits(server)
  sendFindings(server)
  server.documents.listen(connection)
  connection.listen()
}

type Server = ReturnType<typeof createServer>

function createServer(connection: Connection, io: Io) {
  const documents = new TextDocuments(TextDocument)
  let folders: readonly string[] = []
  let askAgain: string | undefined
  const files = editorFiles(documents, () => folders, io)
  const language = createLanguage({
    read: files.read,
    list: files.list,
    project: { shape: projectShape, check: (source) => projectFaults(source, io), presets },
  })
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions }) => {
    folders = workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === 'string' ? [rootUri] : [])
    askAgain = typeof initializationOptions?.askAgain === 'string' ? initializationOptions.askAgain : undefined
    return capabilities()
  })
  return {
    connection,
    documents,
    language,
    files,
    /** The editor's command for requesting completions again. */
    askAgain: () => askAgain,
    findings: new WeakMap<TextDocument, { readonly version: number; readonly findings: readonly Finding[] }>(),
    changed: new Set<string>(),
  }
}

function capabilities(): InitializeResult {
  return {
    serverInfo: { name: 'joust', version: joustVersion },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: [':', ' ', '-', '.', '{', '/', '"', "'", '['] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentSymbolProvider: true,
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
      renameProvider: { prepareProvider: true },
      documentLinkProvider: {},
      documentFormattingProvider: true,
    },
  }
}

/** Returns a filter for the kinds of actions that an editor requests; `a` includes `a.b`. */
function isWanted(only: readonly string[] | undefined): (action: CodeAction) => boolean {
  return ({ kind = '' }) => only === undefined || only.some((wanted) => `${kind}.`.startsWith(`${wanted}.`))
}

interface Request {
  readonly document: TextDocument
  readonly offset: number
  readonly file: TextFile
}

function handleQueries(server: Server): void {
  const { connection, language } = server
  connection.onCompletion((params, token) =>
    handle(server, params, token, async ({ document, offset, file }) => {
      const completions = await language.complete(file, offset)
      return completions.map((one, index) => completionOf(document, offset, one, index, server.askAgain()))
    }),
  )
  connection.onHover((params, token) =>
    handle(server, params, token, async ({ document, offset, file }) => {
      const hover = await language.hover(file, offset, currentFindings(server, document))
      if (hover === undefined) return null
      return { range: rangeOf(document, hover.range), contents: { kind: 'markdown' as const, value: hover.text } }
    }),
  )
  connection.onDefinition((params, token) =>
    handle(server, params, token, async ({ file, offset }) =>
      placesOf(server, await language.definition(file, offset)),
    ),
  )
  connection.onReferences((params, token) =>
    handle(server, params, token, async ({ file, offset }) => {
      const defined = params.context.includeDeclaration ? [] : await language.definition(file, offset)
      const references = await language.references(file, offset)
      const isOther = (one: FileSpan) => !defined.some(({ name, start }) => name === one.name && start === one.start)
      return placesOf(server, references.filter(isOther))
    }),
  )
  connection.onDocumentSymbol((params, token) =>
    handle(server, params, token, ({ document, file }) =>
      language.outline(file).map((item) => symbolOf(document, item)),
    ),
  )
  connection.onDocumentLinks((params, token) =>
    handle(server, params, token, ({ document, file }) =>
      language
        .links(file)
        .map(({ range, target }) => ({ range: rangeOf(document, range), target: server.files.uriOf(target) })),
    ),
  )
  connection.onDocumentFormatting((params, token) =>
    handle(server, params, token, ({ document, file }) => editsOf(document, language.format(file))),
  )
}

function handleEdits(server: Server): void {
  const { connection, language } = server
  connection.onCodeAction((params, token) =>
    handle(server, params, token, async ({ document, file }) => {
      const { start, end } = params.range
      const span = { start: document.offsetAt(start), end: document.offsetAt(end) }
      const fixes = await language.fixes(file, span, currentFindings(server, document))
      return fixes.map((fix) => actionOf(document, fix)).filter(isWanted(params.context.only))
    }),
  )
  connection.onPrepareRename((params, token) =>
    handle(server, params, token, ({ document, offset, file }) => {
      const span = language.renamable(file, offset)
      return span === undefined ? null : rangeOf(document, span)
    }),
  )
  connection.onRenameRequest((params, token) =>
    handle(server, params, token, ({ document, offset, file }) => {
      const edits = language.rename(file, offset, params.newName)
      if (!edits.ok) throw new ResponseError(ErrorCodes.InvalidRequest, edits.error)
      return { changes: { [document.uri]: editsOf(document, edits.value) } }
    }),
  )
}

/** Publishes findings after all pending changes are applied; outdated findings are dropped. */
function sendFindings(server: Server): void {
  server.documents.onDidChangeContent(({ document }) => schedule(server, document.uri))
  const again = () => {
    for (const { uri } of server.documents.all()) schedule(server, uri)
  }
  server.documents.onDidClose(({ document: { uri } }) => {
    void server.connection.sendDiagnostics({ uri, diagnostics: [] })
    // References to the document now resolve to the file on disk.
    again()
  })
  server.connection.onDidChangeWatchedFiles(again)
}

function schedule(server: Server, uri: string): void {
  if (server.changed.size === 0) void setImmediate().then(() => diagnoseChanged(server))
  server.changed.add(uri)
}

async function diagnoseChanged(server: Server): Promise<void> {
  const open = server.documents.all()
  const changed = open.filter(({ uri }) => server.changed.has(uri))
  server.changed.clear()
  const isAgent = (document: TextDocument) => server.language.kind(fileOf(server, document)) === 'agent'
  // Findings in an agent may depend on the files it refers to.
  const agents = changed.some(isAgent) ? open.filter(isAgent) : []
  for (const document of new Set([...changed, ...agents])) await diagnose(server, document)
}

async function diagnose(server: Server, document: TextDocument): Promise<void> {
  const { uri, version } = document
  const findings = await server.language.diagnose(fileOf(server, document))
  // A reopened document is a new object, and its versions start over.
  if (server.documents.get(uri) !== document || document.version !== version) return
  server.findings.set(document, { version, findings })
  const diagnostics = findings.map((finding) => diagnosticOf(document, finding))
  await server.connection.sendDiagnostics({ uri, version, diagnostics })
}

function currentFindings(server: Server, document: TextDocument): readonly Finding[] | undefined {
  const last = server.findings.get(document)
  return last?.version === document.version ? last.findings : undefined
}

function fileOf(server: Server, document: TextDocument): TextFile {
  return { name: server.files.nameOf(document.uri), text: document.getText() }
}

/** Handles a request about an open document; returns null for other documents. Rejects cancelled requests. */
async function handle<T>(
  server: Server,
  {
    textDocument,
    ...params
  }: Partial<TextDocumentPositionParams> & { readonly textDocument: { readonly uri: string } },
  token: CancellationToken,
  answer: (request: Request) => T | Promise<T>,
): Promise<T | null> {
  const open = server.documents.get(textDocument.uri)
  if (open === undefined) return null
  const snapshot = TextDocument.create(open.uri, open.languageId, open.version, open.getText())
  const offset = params.position === undefined ? 0 : snapshot.offsetAt(params.position)
  await readPendingMessages(token)
  // The document may have changed meanwhile.
  const document = open.version === snapshot.version ? open : snapshot
  const work = async () => answer({ document, offset, file: fileOf(server, document) })
  const result = await unlessCancelled(token, work)
  await readPendingMessages(token)
  return result
}

/** Number of event loop iterations after which a pending message has been read. */
const TURNS = 3

/** Reads messages that arrived while the process was busy; rejects if one of them cancelled the request. */
async function readPendingMessages(token: CancellationToken): Promise<void> {
  for (let turn = 0; turn < TURNS && !token.isCancellationRequested; turn++) await setImmediate()
  if (token.isCancellationRequested) throw cancelled()
}

function unlessCancelled<T>(token: CancellationToken, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listening = token.onCancellationRequested(() => reject(cancelled()))
    work()
      .then(resolve, reject)
      .finally(() => listening.dispose())
  })
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'the request was cancelled')
}

async function placesOf(server: Server, found: readonly FileSpan[]): Promise<Location[]> {
  return Promise.all(
    found.map(async ({ name, ...span }) => {
      const uri = server.files.uriOf(name)
      const text = (await server.files.read(name)) ?? ''
      const document = server.documents.get(uri) ?? TextDocument.create(uri, 'yaml', 0, text)
      return { uri, range: rangeOf(document, span) }
    }),
  )
}
