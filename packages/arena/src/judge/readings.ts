/** Finds planted texts in requests to the agent's model, and the model's replies to them. */
import { createReader, type Reading } from '@joust/models'
import type { MainCalls, ModelEntry, ModelFacts, ReadFact } from '@joust/results'
import { cut, defined, isRecord, type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { hasWords } from './final-answer.ts'
import { promptMark } from './main-calls.ts'

type DeliveredTexts = ReadonlyMap<string, DeliveredText>

/** The strings in a planted text, and their delivery time in milliseconds since the start of the run. */
export interface DeliveredText {
  readonly texts: readonly string[]
  readonly elapsedMs: number
}

interface Readings {
  /** Called after all messages. `request` is the whole request, if known. */
  observe(entry: ModelEntry, texts: DeliveredTexts, request?: Value): void
  /** `main`: the calls in the agent's conversation during the preflight. */
  facts(main?: MainCalls): ModelFacts['read']
  /** True if the model completely answered an agent request that began at or after a time in the run. */
  isAnsweredSince(elapsedMs: number, main?: MainCalls): boolean
}

interface Call {
  readonly number: number
  readonly elapsedMs: number
  readonly reply: ReadFact['reply']
  /** True if the model began to answer. A failed or filtered request may never have reached the model. */
  readonly isTaken: boolean
  /** The system prompt, otherwise the first message. */
  readonly frame: string
  /** The first two messages after the system prompt. */
  readonly opening: readonly string[]
  /** Numbers of recent calls whose answers occur in the messages of this call, such as a summary. */
  readonly follows: readonly number[]
  /** The beginning of a longer answer, as JSON. */
  readonly answerMark: string
  readonly hasTools: boolean
  readonly mark: string
  /** True if the server counted fewer tokens than the messages must have, because it dropped some. */
  readonly isTruncated: boolean
  /** True if the answer shows that the model received the tools. */
  readonly showsTools: boolean
  /** True for a call by our runtime, which makes no background calls. */
  readonly isInside: boolean
}

interface Hit extends Pick<ReadFact, 'how' | 'texts' | 'missing'> {
  readonly call: Call
  readonly isInTools: boolean
}

export function createReadings(): Readings {
  const calls: Call[] = []
  const hits = new Map<string, Hit[]>()
  const offersTools = () => calls.some(({ hasTools }) => hasTools)
  // Agents request titles and summaries in calls without tools, or with a different system prompt.
  const isLike = ({ mark }: Call, main: MainCalls | undefined) =>
    main === undefined || (main.tools !== true && main.prompts.includes(mark))
  const isOfAgent = (call: Call, main: MainCalls | undefined) =>
    call.hasTools || call.isInside || (!offersTools() && isLike(call, main))
  return {
    observe(entry, texts, request) {
      const call = callOf(entry, calls.slice(-arenaLimits.modelFollows))
      calls.push(call)
      const whole = request ?? requestOf(entry)
      const read = createReader(whole)
      let readMessages: ReturnType<typeof createReader> | undefined
      const isInTools = (planted: readonly string[]) => {
        readMessages ??= createReader(withoutTools(whole))
        const hit = hitOf(planted.map(readMessages))
        return hit === undefined || hit.how === 'part'
      }
      for (const [path, { texts: planted, elapsedMs }] of texts) {
        // A call that ended before the delivery got the text elsewhere, such as from a memory of earlier runs.
        if (entry.elapsed_ms + entry.duration_ms < elapsedMs) continue
        const pathHits = hits.get(path) ?? []
        hits.set(path, pathHits)
        const hit = pathHits.length < arenaLimits.modelHits ? hitOf(planted.map(read)) : undefined
        if (hit !== undefined) {
          pathHits.push({ ...hit, texts: planted, call, isInTools: hit.how !== 'part' && isInTools(planted) })
        }
      }
    },
    facts(main) {
      const hasTools = offersTools()
      const own = calls.filter((call) => isOfAgent(call, main))
      const showsTools = calls.some((call) => call.showsTools)
      const facts = [...hits].flatMap(([path, all]) => {
        const ownHits = all.filter(({ call }) => isOfAgent(call, main))
        // Without tools, background calls differ from others only in their prompt.
        const fact = factOf(ownHits, own, ({ frame, isInside }) => (hasTools || isInside ? '' : frame))
        if (fact === undefined) return backgroundFact(path, all)
        const whole = wholeOf(ownHits)
        const isUnconfirmed = !showsTools && fact.how !== 'part' && whole.every((hit) => hit.isInTools)
        const begunHits = whole.filter(({ call }) => call.isTaken)
        const isTruncated = begunHits.length > 0 && begunHits.every(({ call }) => call.isTruncated)
        const doubts = { unconfirmed: isUnconfirmed || undefined, truncated: isTruncated || undefined }
        return [[path, { ...fact, ...defined(doubts) } as ReadFact] as const]
      })
      return Object.fromEntries(facts)
    },
    isAnsweredSince: (time, main) =>
      calls.some((call) => call.elapsedMs >= time && call.reply === 'complete' && isOfAgent(call, main)),
  }
}

function requestOf({ messages, tools }: ModelEntry): Value {
  // The type does not say that these fields are plain data.
  return { messages, tools } as unknown as Value
}

/** Removes the tools, because a server may drop them. */
function withoutTools(request: Value): Value {
  if (!isRecord(request)) return request
  const { tools: _, functions: __, ...rest } = request
  return rest
}

/** True if the answer calls a tool, or the request has more tokens than its messages can have. */
function showsTools({ messages, answer, usage, cut }: ModelEntry): boolean {
  if (answer.calls.length > 0) return true
  const size = new TextEncoder().encode(writeJson(messages as unknown as Value)).length
  return cut !== true && (usage?.input ?? 0) > size / BYTES_PER_TOKEN + TEMPLATE_TOKENS
}

/** The minimum number of bytes per token in most texts. */
const BYTES_PER_TOKEN = 2
/** The maximum number of tokens that a server's chat template adds. */
const TEMPLATE_TOKENS = 100

/** The maximum number of words per token in any tokenizer; most have no tokens of several words. */
const WORDS_PER_TOKEN = 4
/** The minimum size of a context window in tokens; smaller counts are constants of mock servers and gateways. */
const CONTEXT_TOKENS = 256
/** Words between white space. Text in other scripts has fewer, so the bound still holds. */
const WORD = /(?<!\S)\p{L}+/gu

function isTruncated({ messages, usage }: ModelEntry): boolean {
  const { input = 0 } = usage ?? {}
  // Providers drop earlier reasoning, and count a cached prompt as a whole.
  const texts = messages.flatMap((one) => ('text' in one && one.role !== 'reasoning' ? one.text : []))
  return (
    input >= CONTEXT_TOKENS &&
    texts.reduce((total, text) => total + (text.match(WORD)?.length ?? 0), 0) > input * WORDS_PER_TOKEN
  )
}

/** The number of characters that identify an answer in a later request. */
const SUMMARY = 40

function callOf(entry: ModelEntry, recent: readonly Call[]): Call {
  const { model, elapsed_ms: elapsedMs, messages, tools, answer, finish, wire } = entry
  const turns = messages.filter(({ role }) => role !== 'system' && role !== 'reasoning')
  const excerpt = (turn: ModelEntry['messages'][number]) => cut(writeJson(turn), arenaLimits.modelOpening)
  const frames = messages.filter(({ role }) => role === 'system')
  const whole = writeJson(messages as unknown as Value)
  const answerMark = answer.text.length < SUMMARY ? '' : writeJson(cut(answer.text, SUMMARY)).slice(1, -2)
  const isComplete = finish.kind === 'complete' && (answer.calls.length > 0 || hasWords(answer.text))
  return {
    number: model,
    elapsedMs,
    reply: isComplete ? 'complete' : finish.kind === 'filtered' ? 'filtered' : 'none',
    isTaken: finish.kind === 'complete' || finish.kind === 'cut',
    frame: (frames.length > 0 ? frames : turns.slice(0, 1)).map(excerpt).join(),
    opening: turns.slice(0, 2).map(excerpt),
    follows: recent.flatMap((one) => (one.answerMark !== '' && whole.includes(one.answerMark) ? one.number : [])),
    answerMark,
    hasTools: tools.length > 0,
    mark: promptMark(messages),
    isTruncated: isTruncated(entry),
    showsTools: showsTools(entry),
    isInside: wire === 'in-process',
  }
}

/** For a text that only background calls contain; answers to such calls show nothing. */
function backgroundFact(path: string, hits: readonly Hit[]): [string, ReadFact][] {
  const fact = factOf(hits, [], () => '')
  return fact === undefined ? [] : [[path, { ...fact, reply: 'none', background: true }]]
}

/** Combines the readings of a planted text's strings in one request. */
function hitOf(readings: readonly Reading[]): Pick<Hit, 'how' | 'missing'> | undefined {
  const isWhole = ({ kind }: Reading) => kind === 'exact' || kind === 'plain'
  if (readings.every(({ kind }) => kind === 'unknown')) return undefined
  if (readings.every(isWhole)) return { how: readings.every(({ kind }) => kind === 'exact') ? 'exact' : 'plain' }
  const missing = readings.flatMap((reading) => (reading.kind === 'part' ? reading.missing : []))
  const excerpts = missing.slice(0, arenaLimits.missingSentences)
  return { how: 'part', missing: excerpts.map((sentence) => cut(sentence, arenaLimits.missingText)) }
}

function wholeOf(hits: readonly Hit[]): readonly Hit[] {
  return hits.filter(({ how }) => how !== 'part')
}

const ORDER: readonly ReadFact['how'][] = ['exact', 'plain', 'part']

/** Every group of calls with the text needs a reply. */
function factOf(hits: readonly Hit[], calls: readonly Call[], groupOf: (call: Call) => string): ReadFact | undefined {
  const how = ORDER.find((kind) => hits.some((hit) => hit.how === kind))
  const first = hits.find((hit) => hit.how === how)
  if (how === undefined || first === undefined) return undefined
  // If a whole text was read, partial readings do not count.
  const isEnough = (hit: Hit) => how === 'part' || hit.how !== 'part'
  const holders = hits.filter(isEnough).map(({ call }) => call)
  const replies = [...new Set(holders.map(groupOf))].map((group) =>
    replyTo(
      holders.filter((call) => groupOf(call) === group),
      calls,
    ),
  )
  const reply = (['none', 'filtered'] as const).find((one) => replies.includes(one)) ?? 'complete'
  const { missing } = first
  const texts = (first.texts ?? []).slice(0, arenaLimits.baitTexts).map((text) => cut(text, arenaLimits.baitText))
  return { how, call: first.call.number, reply, texts, ...(missing && { missing }) }
}

/**
 * Returns the reply to the last call with the text, or to a later call in the same conversation that the model began to
 * answer, even if a summary replaced the text. If the agent's last call failed or was filtered, it stopped midway.
 */
function replyTo(holders: readonly Call[], calls: readonly Call[]): ReadFact['reply'] {
  const begun = holders.find(({ isTaken }) => isTaken)
  const all = [...holders]
  for (const call of calls) {
    const isLater = begun !== undefined && call.number > begun.number && !all.includes(call)
    if (isLater && (isSame(call, begun) || all.some(({ number }) => call.follows.includes(number)))) all.push(call)
  }
  all.sort((a, b) => a.number - b.number)
  return all.at(-1)?.reply ?? 'none'
}

function isSame({ opening }: Call, first: Call): boolean {
  return first.opening.length > 0 && first.opening.every((turn, index) => turn === opening[index])
}
