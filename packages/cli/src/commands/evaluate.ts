/** `joust evaluate ATTACK --message FILE`: evaluates every indicator of a document on one message. */
import { resolve } from 'node:path'
import { type Attack, computeVerdict, createCelEvaluator, evaluateIndicator, isTranslation, load } from '@joust/oatf'
import { verdictCode } from '@joust/results'
import { err, isRecord, jsonText, ok, own, type Result, readJson, readSource, type Value } from '@joust/source'
import { isWrongPath, readText, STDIN } from '../input/read.ts'
import type { EvaluateOptions } from '../options/results.ts'
import { printFindings } from '../render/text.ts'
import { renderVerdict } from '../render/verdict.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints the verdict on one message; the exit code reflects the tier. */
export async function evaluate(paths: readonly string[], options: EvaluateOptions, io: Io): Promise<number> {
  const [path, ...others] = paths
  if (options.message === undefined || path === undefined)
    return wrongUsage(['missing option: --trace FILE or --message FILE'], io)
  if (others.length > 0) return wrongUsage(['--message takes a single attack document'], io)
  if (path === STDIN && options.message === STDIN)
    return wrongUsage(['the attack and the message cannot both come from standard input'], io)
  const attack = await readAttack(path, options.strict, io)
  if (!attack.ok) return attack.error
  const message = await readMessage(options.message, io)
  if (!message.ok) return message.error

  const evaluators = { cel: createCelEvaluator() }
  const verdicts = (attack.value.indicators ?? []).map((one) => evaluateIndicator(one, message.value, evaluators))
  const verdict = computeVerdict(attack.value, verdicts)
  if (options.json) io.stdout.write(jsonText(verdict))
  else io.stdout.write(renderVerdict(attack.value, verdict, coloursFor(io, 'stdout')))
  return verdictCode(verdict)
}

async function readAttack(path: string, strict: boolean, io: Io): Promise<Result<Attack, number>> {
  const text = await readPath(path, io)
  if (!text.ok) return text
  const loaded = load(text.value, { strict })
  const name = nameOf(path)
  if (!loaded.ok) {
    printFindings([{ name, path, format: 'oatf', text: text.value, diagnostics: loaded.error }], io)
    return err(noVerdict(`${name} is not a valid attack document; no verdict`, io))
  }
  // A verdict is about the document as written.
  const attack = loaded.value.unread ?? loaded.value.document.attack
  const translations = loaded.value.warnings.filter(isTranslation)
  printFindings([{ name, path, format: 'oatf', diagnostics: translations }], io)
  if ((attack.indicators ?? []).length === 0) return err(noVerdict(`${name} has no indicators; no verdict`, io))
  return ok(attack)
}

async function readMessage(path: string, io: Io): Promise<Result<Value, number>> {
  const text = await readPath(path, io)
  if (!text.ok) return text
  const json = readJson(text.value)
  if (json.ok) return contentOf(json.value, path, io)
  const yaml = path.endsWith('.json') ? json : readSource(text.value)
  if (!yaml.ok) {
    printFindings([{ name: nameOf(path), path, format: 'unknown', text: text.value, diagnostics: yaml.error }], io)
    return err(noVerdict(`${nameOf(path)} is not a message; no verdict`, io))
  }
  return contentOf(yaml.value.value, path, io)
}

function contentOf(message: Value, path: string, io: Io): Result<Value, number> {
  const unwrapped = messageContent(message)
  if (!unwrapped.ok) return err(noVerdict(`${nameOf(path)} ${unwrapped.error}`, io))
  if (unwrapped.value.note !== undefined) tell(io, `${nameOf(path)} ${unwrapped.value.note}`)
  return ok(unwrapped.value.content)
}

async function readPath(path: string, io: Io): Promise<Result<string, number>> {
  const text = await readText(path === STDIN ? STDIN : resolve(io.cwd, path), io)
  if (text.ok) return text
  const fault = `${nameOf(path)}: ${text.error.message}`
  return err(isWrongPath(text.error) ? wrongUsage([fault], io) : noVerdict(fault, io))
}

/** Prints an error; returns the exit code of an inconclusive result, because 1 would mean "exploited". */
export function noVerdict(reason: string, io: Io): number {
  return giveUp(reason, io, exitCodes.inconclusive)
}

export function nameOf(path: string): string {
  return path === STDIN ? '<stdin>' : path
}

interface MessageContent {
  readonly content: Value
  readonly note?: string
}

/**
 * Returns the field of a message that indicators match ([OATF SDK §4.1](https://oatf.io/sdk/evaluation/)): `params`,
 * `result` or `error` of a JSON-RPC message. Rejects an attack document, because it would match no indicator and look
 * like an agent that resisted.
 */
export function messageContent(message: Value): Result<MessageContent, string> {
  if (!isRecord(message)) return ok({ content: message })
  if (Object.hasOwn(message, 'oatf') && Object.hasOwn(message, 'attack'))
    return err('is an attack document, not a message from an agent')
  if (!Object.hasOwn(message, 'jsonrpc')) return ok({ content: message })
  for (const part of ['params', 'result', 'error']) {
    const content = own(message, part)
    if (content !== undefined) return ok({ content, note: `is a JSON-RPC message; indicators match its "${part}"` })
  }
  return err('is a JSON-RPC message without params, result or error')
}
