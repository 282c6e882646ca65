/** `joust agent chat FILE`: talks to an agent in several turns. */
import { resolve } from 'node:path'
import { abortable, createLineSplitter, type Line } from '@joust/io'
import { type ConversationMessage, inputFromText, outputText } from '@joust/runtime'
import { count, type Value } from '@joust/source'
import { BY_CLIENT, NO_CLIENT } from '../../agent/approver.ts'
import { type ChatFile, type ChatTurn, openChatFile } from '../../agent/chat-file.ts'
import { openRuntime } from '../../agent/open-runtime.ts'
import { printText } from '../../agent/print-text.ts'
import { tellFault } from '../../agent/run-faults.ts'
import { STDIN } from '../../input/read.ts'
import type { AgentChatOptions } from '../../options/agent.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'
import { commandLimits } from '../../terminal/limits.ts'

type Opened = Extract<Awaited<ReturnType<typeof openRuntime>>, { ok: true }>['value']

/** Prints answers to stdout, everything else to stderr. Returns 1 if the last turn failed. */
export async function chat(path: string, options: AgentChatOptions, io: Io): Promise<number> {
  if (path === STDIN) return wrongUsage(['a chat cannot read its agent from standard input'], io)
  if (options.approve === BY_CLIENT) return wrongUsage([NO_CLIENT], io)
  const opened = await openRuntime(path, options, io, { brief: true })
  if (!opened.ok) return opened.error.exitCode
  const { agent, close } = opened.value
  const { resume: file, quiet } = options
  const chatFile = file === undefined ? undefined : openChatFile(resolve(io.cwd, file), agent.document.metadata.id)
  if (chatFile?.ok === false) {
    await close()
    return wrongUsage([`--resume ${file}: ${chatFile.error}`], io)
  }
  const turns = chatFile?.value.turns ?? []
  if (!quiet && turns.length > 0) tell(io, `${count(turns.length, 'earlier turn')} in ${file}`)
  if (!quiet && io.prompt !== undefined) tell(io, 'Ctrl-C stops an answer, Ctrl-D ends the chat')
  const questions = openQuestions(io)
  const code = await converse(opened.value, chatFile?.value, questions, options, io)
  questions.close()
  await close()
  chatFile?.value.close()
  return code
}

async function converse(
  opened: Opened,
  file: ChatFile | undefined,
  questions: Questions,
  { memory: memoryScope }: AgentChatOptions,
  io: Io,
): Promise<number> {
  const history: ConversationMessage[] = (file?.turns ?? []).flatMap(messagesOf)
  let code: number = exitCodes.ok
  for (;;) {
    const question = await io.stoppable((signal) => questions.next(signal).catch(() => exitCodeOf(signal)))
    if (typeof question === 'number') return question
    if (question === undefined || question.trim() === '/exit') return code
    if (question.trim() === '') continue
    const turn = await io.stoppable((signal) => answer(opened, question, history, { signal, memoryScope }, io))
    code = turn.code
    if (turn.answer !== undefined) {
      const done = { question, answer: turn.answer }
      history.push(...messagesOf(done))
      const problem = file?.add(done)
      if (problem !== undefined) return giveUp(`the turn could not be saved: ${problem}`, io, exitCodes.failedRun)
    }
    if (turn.ends) return code
  }
}

function messagesOf({ question, answer }: ChatTurn): ConversationMessage[] {
  return [
    { role: 'user', text: question },
    { role: 'assistant', text: answer },
  ]
}

/** A finished turn. `ends` is true if a signal other than Ctrl-C ends the chat. */
interface Turn {
  readonly code: number
  readonly answer?: string
  readonly ends?: boolean
}

async function answer(
  { agent, runtime, hide, listen, flush, texts }: Opened,
  question: string,
  history: readonly ConversationMessage[],
  options: { readonly signal: AbortSignal; readonly memoryScope: string | undefined },
  io: Io,
): Promise<Turn> {
  const { input: schema, output } = agent.document.interface
  const input = inputFromText(schema, question)
  if (!input.ok) {
    tell(io, input.error)
    return { code: exitCodes.failedRun }
  }
  const printer = printText(agent, io)
  const remove = listen(printer.onEvent)
  const conversation: ConversationMessage[] = [...history, { role: 'user', text: textOf(input.value, question) }]
  const result = hide(await runtime.run(agent, input.value, { ...options, conversation, stream: true }))
  flush()
  remove()
  if (result.ok) {
    printer.end(result.value.output)
    return { code: exitCodes.ok, answer: outputText(output, result.value.output) }
  }
  printer.end(undefined)
  const stopped = options.signal.aborted ? exitCodeOf(options.signal) : undefined
  if (stopped === undefined) tellFault(result.error, agent, texts, io)
  else tell(io, 'stopped')
  return { code: stopped ?? exitCodes.failedRun, ends: stopped !== undefined && stopped !== exitCodes.interrupted }
}

/** Returns the text that the runtime rendered from a template or structured input, or a plain question unchanged. */
function textOf(input: Value, question: string): string {
  return typeof input === 'string' ? input : question
}

interface Questions {
  /** Returns the next question; undefined at the end of the input. */
  next(signal: AbortSignal): Promise<string | undefined>
  close(): void
}

/** Reads questions from the terminal, or line by line from standard input. */
function openQuestions(io: Io): Questions {
  const { prompt } = io
  if (prompt !== undefined) return { next: (signal) => prompt('> ', signal), close: () => {} }
  const lines = linesOf(io)
  return {
    next: (signal) => abortable(signal, async () => (await lines.next()).value),
    close: () => void lines.return(undefined),
  }
}

async function* linesOf(io: Io): AsyncGenerator<string, undefined> {
  const splitter = createLineSplitter(commandLimits.chatBytes)
  const whole = ({ text, isCut, fault = '' }: Line): string => {
    if (isCut === true) tell(io, `question ignored: ${fault}`)
    return isCut === true ? '' : text
  }
  for await (const part of io.stdinParts()) yield* splitter.push(part).map(whole)
  yield* splitter.end().map(whole)
}
