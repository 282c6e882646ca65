/**
 * [OATF §7.4](https://oatf.io/specification/protocol-bindings/llm-synthesis/): collects the texts that a model must
 * write, and inserts them into the document. See docs/decisions/0018.
 */
import {
  cloneValue,
  cut,
  describeValue,
  err,
  formatPath,
  isRecord,
  messageOf,
  ok,
  own,
  ownText,
  type Path,
  patchText,
  type Result,
  type Value,
} from '@joust/source'
import { isIgnoredPromise } from './evaluate/ignored-promise.ts'
import { load } from './load.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import type { Protocol } from './model/enumerations.ts'
import type { GenerationError } from './model/errors.ts'
import type { GenerationProvider } from './model/evaluators.ts'
import { oatfLimits } from './model/limits.ts'
import { mappingAt } from './mutations/places.ts'
import { extractProtocol } from './primitives/extract-protocol.ts'
import { versionFirst } from './version-first.ts'
import { put } from './walk/put.ts'

/** A text that a model must write. */
export interface SynthesisRequest {
  /** The path of the `synthesize` block, in the document as written. */
  readonly path: string
  readonly prompt: string
  /** A description of the text. */
  readonly place: string
}

interface TextSlot {
  readonly is: string
  readonly key: 'content' | 'messages'
  readonly content: (text: string) => Value
}

/** Slots by the key of the enclosing list or, for `responses`, by the key of the list that contains the owner. */
const slots: { readonly [key: string]: TextSlot } = {
  tools: {
    is: 'the result of an MCP tool',
    key: 'content',
    content: (text) => ({ content: [{ type: 'text', text }] }),
  },
  prompts: {
    is: 'the message of an MCP prompt',
    key: 'messages',
    content: (text) => [{ role: 'user', content: { type: 'text', text } }],
  },
  task_responses: {
    is: 'the response from an A2A agent to a message',
    key: 'content',
    content: (text) => ({
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text }] }],
    }),
  },
  tool_responses: { is: 'the result of an AG-UI client tool', key: 'content', content: (text) => text },
  sampling_responses: {
    is: 'the response from a model to a sampling request',
    key: 'content',
    content: (text) => ({ role: 'assistant', model: 'assistant', content: { type: 'text', text } }),
  },
  run_agent_input: {
    is: 'the user message to an AG-UI agent',
    key: 'messages',
    content: (text) => [{ id: 'synthesized-1', role: 'user', content: text }],
  },
}

interface Block {
  readonly at: Path
  readonly prompt: string | undefined
  readonly place: TextSlot | undefined
}

/** Returns the texts that a model must write, and an error for each invalid block. */
export function synthesisRequests(attack: LoadedAttack): { requests: SynthesisRequest[]; faults: string[] } {
  const requests: SynthesisRequest[] = []
  const faults: string[] = []
  for (const { at, prompt, place } of blocksIn(attack)) {
    const path = formatPath(at)
    if (prompt === undefined || prompt.trim() === '') faults.push(`${path} has no prompt`)
    else if (prompt.includes('{{'))
      faults.push(`${path}: the prompt contains a template, which has no value before the run`)
    else if (place === undefined) faults.push(`${path}: no text can be synthesized here`)
    else requests.push({ path, prompt, place: place.is })
  }
  return { requests, faults }
}

/**
 * Replaces `synthesize` blocks with texts from a provider ([OATF SDK §6.3](https://oatf.io/sdk/extension-points/)), or
 * returns an error for each block that gets no text.
 *
 * @example
 * const attack = synthesize(unwrap(load(text), text), { generate: () => ({ ok: true, value: 'Thank you for your order.' }) })
 */
export function synthesize(
  attack: LoadedAttack,
  provider: GenerationProvider,
): Result<LoadedAttack, GenerationError[]> {
  const { requests, faults } = synthesisRequests(attack)
  const errors = faults.map((message): GenerationError => ({ kind: 'validation_failure', message }))
  const texts = new Map<string, string>()
  for (const { path, prompt, place } of requests) {
    const answer = generate(provider, prompt, protocolAt(attack, path), place)
    if (answer.ok) texts.set(path, answer.value)
    else errors.push({ ...answer.error, message: `${path}: ${answer.error.message}` })
  }
  if (errors.length > 0) return err(errors)
  const written = texts.size === 0 ? ok(attack) : withSynthesized(attack, texts)
  return written.ok ? written : err([{ kind: 'validation_failure', message: written.error }])
}

/** Calls the provider, which is custom code and may throw or return any value. */
function generate(
  provider: GenerationProvider,
  prompt: string,
  protocol: Protocol,
  place: string,
): Result<string, GenerationError> {
  const preview = { prompt_preview: cut(prompt, PREVIEW) }
  try {
    const answer: unknown = provider.generate(prompt, protocol, { place })
    if (isIgnoredPromise(answer)) {
      const message = 'the provider returned a promise; await the texts of synthesisRequests, then use withSynthesized'
      return err({ kind: 'model_error', message, ...preview })
    }
    if (isRecord(answer) && answer.ok === false) return err({ ...preview, ...errorOf(answer.error) })
    if (!isRecord(answer) || answer.ok !== true) {
      const message = `the provider returned ${describeValue(answer)} instead of { ok: true, value: text }`
      return err({ kind: 'model_error', message, ...preview })
    }
    const { value } = answer
    if (typeof value === 'string') return ok(value)
    return err({ kind: 'validation_failure', message: `expected a string, got ${describeValue(value)}`, ...preview })
  } catch (thrown) {
    return err({ kind: 'model_error', message: messageOf(thrown), ...preview })
  }
}

const PREVIEW = 80

function errorOf(error: unknown): GenerationError {
  if (isRecord(error) && typeof error.kind === 'string' && typeof error.message === 'string')
    return error as unknown as GenerationError
  return { kind: 'model_error', message: `the provider failed: ${describeValue(error)}` }
}

function protocolAt({ walk }: LoadedAttack, path: string): Protocol {
  const site = walk.actors.find((one) => path.startsWith(`${formatPath(one.path)}.`))
  return extractProtocol(site?.mode ?? '')
}

/** Replaces blocks with texts, by path. Static content next to a block is removed. */
export function withSynthesized(
  attack: LoadedAttack,
  texts: ReadonlyMap<string, string>,
): Result<LoadedAttack, string> {
  // Parsed from text, so it contains only plain values.
  const root = cloneValue(attack.written) as unknown as Value
  for (const { at, place } of blocksIn(attack)) {
    const text = texts.get(formatPath(at))
    if (text === undefined || place === undefined) continue
    if (text.trim() === '') return err(`the text for ${formatPath(at)} is empty`)
    if (text.length > oatfLimits.synthesized)
      return err(`the text for ${formatPath(at)} is longer than ${oatfLimits.synthesized} characters`)
    const holder = at.slice(0, -1)
    const { synthesize: _, ...rest } = mappingAt(root, holder) ?? {}
    // A text from a model is never a template.
    put(root, holder, { ...rest, [place.key]: place.content(text.replaceAll('{{', '\\{{')) })
  }
  const patch = patchText(attack.text, root)
  if (!patch.ok) return err(patch.error[0]?.message ?? 'the document cannot be changed')
  const loaded = load(versionFirst(patch.value.text))
  return loaded.ok ? ok(loaded.value) : err(loaded.error[0]?.message ?? 'the document would not be valid')
}

function blocksIn({ walk }: LoadedAttack): Block[] {
  const lists = walk.responseLists.flatMap(({ path, entries }) =>
    entries.flatMap((entry, index) => blockIn(entry, [...path, index], placeOf(path))),
  )
  const inputs = walk.states.flatMap(({ path, value }) =>
    isRecord(value) ? blockIn(own(value, 'run_agent_input'), [...path, 'run_agent_input'], slots.run_agent_input) : [],
  )
  return [...lists, ...inputs]
}

function blockIn(holder: Value | undefined, at: Path, place: TextSlot | undefined): Block[] {
  const block = own(holder, 'synthesize')
  return block === undefined ? [] : [{ at: [...at, 'synthesize'], prompt: ownText(block, 'prompt'), place }]
}

function placeOf(path: Path): TextSlot | undefined {
  const key = path.at(-1) === 'responses' ? path.at(-3) : path.at(-1)
  return typeof key === 'string' && Object.hasOwn(slots, key) ? slots[key] : undefined
}
