import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CodeActionRequest,
  type CompletionItem,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  LSPErrorCodes,
  type Message,
  PrepareRenameRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ReferencesRequest,
  RenameRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { binary, spawnJoust } from '../spawned.ts'

/** An editor: the built command as a child process, a folder, and one document after the other. */
class Editor {
  readonly folder = mkdtempSync(join(tmpdir(), 'joust-editor-'))
  readonly child: ChildProcess
  readonly connection: ProtocolConnection
  text = ''
  uri = ''
  #version = 0
  readonly #waiting: ((params: PublishDiagnosticsParams) => void)[] = []

  constructor() {
    const child = spawn(process.execPath, [binary, 'language-server', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.child = child
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    )
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      if (params.uri === this.uri && params.version === this.#version)
        for (const take of this.#waiting.splice(0)) take(params)
    })
    this.connection.listen()
  }

  async start() {
    const rootUri = pathToFileURL(this.folder).href
    const answer = await this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri,
      capabilities: {},
      initializationOptions: { askAgain: 'complete.more' },
    })
    await this.connection.sendNotification(InitializedNotification.type, {})
    return answer
  }

  findings(): Promise<PublishDiagnosticsParams> {
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  /** The findings of a document that is opened. */
  async open(name: string, text: string) {
    this.text = text
    this.uri = pathToFileURL(join(this.folder, name)).href
    this.#version = 1
    const found = this.findings()
    const textDocument = { uri: this.uri, languageId: 'yaml', version: 1, text }
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
    return (await found).diagnostics
  }

  /** The findings after one part was replaced by another. */
  async type(from: string, to: string) {
    const start = this.position(from)
    const end = this.position(from, from.length)
    this.text = this.text.replace(from, to)
    const found = this.findings()
    const textDocument = { uri: this.uri, version: ++this.#version }
    const contentChanges = [{ range: { start, end }, text: to }]
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, { textDocument, contentChanges })
    return (await found).diagnostics
  }

  position(text: string, plus = 0) {
    const lines = this.text.slice(0, this.text.indexOf(text) + plus).split('\n')
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  }

  at(text: string, plus = 0) {
    return { textDocument: { uri: this.uri }, position: this.position(text, plus) }
  }
}

const editor = new Editor()
const attack = readFileSync(join(repositoryRoot(), 'library/cross-agent-relay.oatf.yaml'), 'utf8')

beforeAll(async () => {
  const { serverInfo, capabilities } = await editor.start()
  expect(serverInfo?.name).toBe('joust')
  expect(capabilities.renameProvider).toEqual({ prepareProvider: true })
}, 60_000)

afterAll(async () => {
  const closed = new Promise<number | null>((resolve) => editor.child.on('close', resolve))
  await editor.connection.sendRequest(ShutdownRequest.type)
  await editor.connection.sendNotification(ExitNotification.type)
  expect(await closed).toBe(0)
  rmSync(editor.folder, { recursive: true })
}, 60_000)

test('findings come as one types, and a quick fix mends what they are about', async () => {
  expect(await editor.open('a.oatf.yaml', attack)).toEqual([])
  const [found, ...others] = await editor.type('surface:', 'surfce:')
  expect(others).toEqual([])
  expect(found).toMatchObject({ source: 'joust', severity: 1, range: { start: editor.position('surfce') } })
  const range = found?.range ?? { start: editor.position(''), end: editor.position('') }
  const context = { diagnostics: found === undefined ? [] : [found] }
  const actions = await editor.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: editor.uri },
    range,
    context,
  })
  expect(actions?.[0]).toMatchObject({
    title: 'Replace with "surface"',
    kind: 'quickfix',
    edit: { changes: { [editor.uri]: [{ newText: 'surface' }] } },
  })
  const only = ['source.organizeImports']
  const another = { textDocument: { uri: editor.uri }, range, context: { ...context, only } }
  expect(await editor.connection.sendRequest(CodeActionRequest.type, another)).toEqual([])
  expect(await editor.type('surfce:', 'surface:')).toEqual([])
})

test('completion in a text that is not YAML any more', async () => {
  await editor.type('tier: boundary_breach', 'tier: "bound')
  const found = await editor.connection.sendRequest(CompletionRequest.type, editor.at('tier: "bound', 12))
  const items: CompletionItem[] = Array.isArray(found) ? found : (found?.items ?? [])
  expect(items.map(({ label }) => label)).toEqual(['ingested', 'local_action', 'boundary_breach'])
  expect(items[2]).toMatchObject({ filterText: '"boundary_breach', textEdit: { newText: '"boundary_breach"' } })
  expect(await editor.type('tier: "bound', 'tier: boundary_breach')).toEqual([])
})

test('hover, outline, names, formatting', async () => {
  const hover = await editor.connection.sendRequest(HoverRequest.type, editor.at('tier:', 1))
  expect(JSON.stringify(hover?.contents)).toContain('**tier**')
  const symbols = await editor.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri: editor.uri } })
  expect(symbols).toHaveLength(1)
  const actor = /- name: (\w+)/.exec(attack.slice(attack.indexOf('actors:')))?.[1] ?? ''
  const here = editor.at(`- name: ${actor}`, 8)
  expect(await editor.connection.sendRequest(PrepareRenameRequest.type, here)).not.toBeNull()
  const references = await editor.connection.sendRequest(ReferencesRequest.type, {
    ...here,
    context: { includeDeclaration: true },
  })
  const uses = await editor.connection.sendRequest(ReferencesRequest.type, {
    ...here,
    context: { includeDeclaration: false },
  })
  expect(uses).toEqual(references?.filter(({ range }) => range.start.line !== here.position.line))
  expect(uses?.length).toBe((references?.length ?? 0) - 1)
  const edit = await editor.connection.sendRequest(RenameRequest.type, { ...here, newName: 'other' })
  expect(edit?.changes?.[editor.uri]).toHaveLength(references?.length ?? -1)
  await expect(editor.connection.sendRequest(RenameRequest.type, { ...here, newName: 'Not A Name' })).rejects.toThrow(
    /lower-case/,
  )
  const options = { tabSize: 2, insertSpaces: true }
  expect(
    await editor.connection.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri: editor.uri }, options }),
  ).toEqual([])
})

test('a cancelled request of any kind is not answered, and the next one is', async () => {
  const uri = 'file:///cancelled.oatf.yaml'
  const here = { textDocument: { uri }, position: { line: 1, character: 2 } }
  const { textDocument } = here
  const range = { start: here.position, end: here.position }
  const asked: readonly [string, object][] = [
    [CompletionRequest.method, here],
    [HoverRequest.method, here],
    [DefinitionRequest.method, here],
    [ReferencesRequest.method, { ...here, context: { includeDeclaration: true } }],
    [DocumentSymbolRequest.method, { textDocument }],
    [DocumentLinkRequest.method, { textDocument }],
    [DocumentFormattingRequest.method, { textDocument, options: { tabSize: 2, insertSpaces: true } }],
    [CodeActionRequest.method, { textDocument, range, context: { diagnostics: [] } }],
    [PrepareRenameRequest.method, here],
    [RenameRequest.method, { ...here, newName: 'other' }],
  ]
  // In one write, so that every cancellation arrives before its request is read.
  const messages = [
    {
      id: 'initialize',
      method: InitializeRequest.method,
      params: { processId: null, rootUri: null, capabilities: {} },
    },
    { method: InitializedNotification.method, params: {} },
    {
      method: DidOpenTextDocumentNotification.method,
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text: attack } },
    },
    ...asked.flatMap(([method, params]) => [
      { id: method, method, params },
      { method: '$/cancelRequest', params: { id: method } },
    ]),
    { id: 'last', method: DocumentSymbolRequest.method, params: { textDocument } },
  ]
  const bytes = messages.map((message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  })
  const child = spawn(process.execPath, [binary, 'language-server', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  // Every answer has these fields.
  type Answer = Message & {
    readonly id?: unknown
    readonly result?: unknown
    readonly error?: { readonly code: number }
  }
  const answers = new Map<unknown, Answer>()
  const answered = new Promise<void>((resolve) => {
    new StreamMessageReader(child.stdout).listen((message: Answer) => {
      answers.set(message.id, message)
      if (message.id === 'last') resolve()
    })
  })
  child.stdin.write(bytes.join(''))
  await answered
  child.kill()
  expect(Object.fromEntries(asked.map(([method]) => [method, answers.get(method)?.error?.code]))).toEqual(
    Object.fromEntries(asked.map(([method]) => [method, LSPErrorCodes.RequestCancelled])),
  )
  expect(answers.get('last')?.result).toHaveLength(1)
})

test('agents across files, open or not', async () => {
  const lead = readFileSync(join(repositoryRoot(), 'examples/agents/sequential/agent.agf.yaml'), 'utf8')
  for (const name of ['researcher', 'writer']) {
    const text = readFileSync(join(repositoryRoot(), `examples/agents/sequential/${name}.agf.yaml`), 'utf8')
    writeFileSync(join(editor.folder, `${name}.agf.yaml`), text)
  }
  expect(await editor.open('agent.agf.yaml', lead)).toEqual([])
  const links = await editor.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri: editor.uri } })
  const target = pathToFileURL(join(editor.folder, 'researcher.agf.yaml')).href
  expect(links?.map((link) => link.target)).toContain(target)
  const found = await editor.connection.sendRequest(DefinitionRequest.type, editor.at('source: researcher', 10))
  expect(found).toMatchObject([{ uri: target, range: { start: { line: expect.any(Number) } } }])
  // An alias is followed by a side, and the editor has named the command that asks for completions again.
  const begun = await editor.connection.sendRequest(CompletionRequest.type, editor.at('researcher.output', 3))
  const items: CompletionItem[] = Array.isArray(begun) ? begun : (begun?.items ?? [])
  expect(items.find(({ label }) => label === 'researcher')).toMatchObject({ command: { command: 'complete.more' } })
  const last = await editor.connection.sendRequest(CompletionRequest.type, editor.at('researcher.output.notes', 19))
  expect(last).toMatchObject([{ label: 'notes', kind: 5 }])
  expect(last).not.toMatchObject([{ command: {} }])
})

test('an agent is checked with the open text of another file, or with the file on disk once it is closed', async () => {
  const uri = pathToFileURL(join(editor.folder, 'researcher.agf.yaml')).href
  const text = readFileSync(join(editor.folder, 'researcher.agf.yaml'), 'utf8')
  const broken = editor.findings()
  const renamed = text.replaceAll(/\bnotes\b/g, 'remarks')
  expect(renamed).not.toBe(text)
  const textDocument = { uri, languageId: 'yaml', version: 1, text: renamed }
  await editor.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
  expect((await broken).diagnostics).not.toEqual([])
  const mended = editor.findings()
  await editor.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } })
  expect((await mended).diagnostics).toEqual([])
})

test('joust.yaml, by the options of the command', async () => {
  const project = 'attcks: library\ntargets:\n  bot: { exec: node bot.mjs }\nmax_duration: soon\n'
  const found = await editor.open('joust.yaml', project)
  expect(found.map(({ message }) => message).join('\n')).toContain('Did you mean "attacks"?')
  // Only the reader of the option finds this fault.
  expect((await editor.type('attcks', 'attacks')).map(({ range }) => range.start.line)).toEqual([3])
  expect(await editor.type('soon', '5m')).toEqual([])
  // The command's own message, not only that the key is unknown.
  const [misplaced] = await editor.type('attacks: library', 'exec: node bot.mjs')
  expect(misplaced?.message).toContain('belongs to a target')
})

test('prints its start command', async () => {
  const { code, stderr } = await spawnJoust(['language-server'], editor.folder)
  expect(code).toBe(64)
  expect(stderr).toContain('--stdio')
})
