/** `joust model serve`: serves a simulated, recorded or real model over HTTP. */
import { resolve } from 'node:path'
import { onAbort } from '@joust/io'
import {
  type AnswerSource,
  createReplay,
  type ModelCall,
  ModelsError,
  type OfferedTool,
  openRecording,
  type RecordingWriter,
  readRecording,
  simulated,
  startModelProxy,
} from '@joust/models'
import { count, err, ok, printable, type Result } from '@joust/source'
import type { ModelServeOptions } from '../../options/services.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** Serves the model until a signal arrives. Prints the URL to stdout and one line per call to stderr. */
export async function serve(options: ModelServeOptions, io: Io): Promise<number> {
  const problems = problemsOf(options)
  if (problems.length > 0) return wrongUsage(problems, io)
  try {
    const source = await sourceOf(options, io)
    if (!source.ok) return wrongUsage([source.error], io)
    return await io.stoppable((signal) => serveUntil(signal, source.value, options, io))
  } catch (thrown) {
    if (thrown instanceof ModelsError) return giveUp(thrown.message, io)
    throw thrown
  }
}

function problemsOf({ model, upstream, replay, record, tool, ownTools }: ModelServeOptions): string[] {
  const sources = [model, upstream, replay].filter((source) => source !== undefined)
  return [
    ...(sources.length === 1 ? [] : ['expected exactly one of --model, --upstream and --replay']),
    ...(replay !== undefined && record !== undefined ? ['--record has no effect with --replay'] : []),
    ...(model === undefined && (tool.length > 0 || ownTools) ? ['--tool and --own-tools need --model'] : []),
    ...(tool.length > 0 && ownTools ? ['--tool cannot be used with --own-tools'] : []),
  ]
}

async function sourceOf(options: ModelServeOptions, io: Io): Promise<Result<AnswerSource, string>> {
  const { model, upstream, replay, tool, ownTools, quiet } = options
  if (upstream !== undefined) return ok({ upstream })
  if (replay !== undefined) return ok({ answer: createReplay(readRecording(resolve(io.cwd, replay)).exchanges).answer })
  const { resolveModel } = await import('@joust/runtime')
  const resolved = await resolveModel(model ?? '', io.env)
  if (!resolved.ok) return err(`--model ${model}: ${resolved.error.message}`)
  if (ownTools) tell(io, 'warning: with --own-tools, any text that the model reads can trigger every tool of the agent')
  else if (tool.length === 0 && !quiet)
    tell(io, 'the model calls no tools: allow some with --tool NAME, or all with --own-tools')
  const allowTool = ({ name }: OfferedTool) => tool.some((pattern) => matches(pattern, name))
  return ok({ answer: simulated(resolved.value, { allowTool, ownTools, name: model ?? '' }) })
}

async function serveUntil(
  signal: AbortSignal,
  source: AnswerSource,
  { port, record, quiet }: ModelServeOptions,
  io: Io,
): Promise<number> {
  const recording: RecordingWriter | undefined =
    record === undefined ? undefined : openRecording(resolve(io.cwd, record), { append: true })
  const proxy = await startModelProxy({ port })
  try {
    const run = proxy.open({
      ...source,
      atRoot: true,
      onCall: (call) => quiet || tell(io, describeCall(call)),
      onExchange: (exchange) => void recording?.write(exchange),
    })
    io.stdout.write(`${run.url}\n`)
    if (!quiet)
      tell(io, `set the base URL of the agent's model to ${run.url}/v1 (OpenAI) or ${run.url} (Anthropic, Gemini)`)
    await new Promise<void>((done) => (signal.aborted ? done() : onAbort(signal, done)))
    await run.close()
    return exitCodeOf(signal)
  } finally {
    await proxy.close()
    recording?.close()
  }
}

/** Returns the line for a call, such as `openai-chat gpt-5: 3 messages, 2 tools → complete, calls send_mail`. */
function describeCall({
  wire,
  path,
  model = path,
  messages,
  tools,
  status,
  answer,
  finish,
  diagnostics,
}: ModelCall): string {
  const to = `${wire} ${printable(model)}: ${count(messages.length, 'message')}, ${count(tools.length, 'tool')}`
  const calls = answer.calls.map(({ name }) => printable(name)).join(', ')
  const problems = diagnostics.map(({ message }) => `; ${printable(message)}`).join('')
  return `${to} → ${status ?? 'no answer'} ${finish.kind}${calls === '' ? '' : `, calls ${calls}`}${problems}`
}

/** True if a name matches a pattern in which `*` stands for any text. Takes time linear in the length of both. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const place = name.indexOf(part, at)
    if (place < 0) return false
    at = place + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
