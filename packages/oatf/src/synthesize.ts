/**
 * §7.4: texts that a document leaves to a model, and the document with these texts filled in. docs/decisions/0018 has
 * the contract.
 */
import {
  cloneValue,
  defaultLimits,
  err,
  formatPath,
  isRecord,
  ok,
  own,
  ownText,
  type Path,
  patchText,
  type Result,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { load } from './load.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { oatfLimits } from './model/limits.ts'
import { mappingAt, put } from './mutations/places.ts'
import { syntaxOf } from './rules/syntax.ts'
import { walkDocument } from './rules/walk.ts'
import { syntaxCheckers } from './validate.ts'
import { versionFirst } from './version-first.ts'

/** A text that a model should write. */
export interface SynthesisRequest {
  /** The path of the block, in the document as written. */
  readonly path: string
  readonly prompt: string
  /** What the text is going to be, in words. */
  readonly place: string
}

/** A place where a text can be put so that the outcome is what the binding expects there. */
interface TextSlot {
  readonly is: string
  readonly key: 'content' | 'messages'
  readonly made: (text: string) => Value
}

/** By the key of the list; for `responses`, by the key of the list that holds their owner. */
const slots: { readonly [key: string]: TextSlot } = {
  tools: {
    is: 'the result of a tool of an MCP server',
    key: 'content',
    made: (text) => ({ content: [{ type: 'text', text }] }),
  },
  prompts: {
    is: 'the message of a prompt of an MCP server',
    key: 'messages',
    made: (text) => [{ role: 'user', content: { type: 'text', text } }],
  },
  task_responses: {
    is: 'the answer of an A2A agent to a message',
    key: 'content',
    made: (text) => ({
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text }] }],
    }),
  },
  tool_responses: { is: 'the result of a tool of an AG-UI client', key: 'content', made: (text) => text },
  sampling_responses: {
    is: 'the answer of a model to a request for sampling',
    key: 'content',
    made: (text) => ({ role: 'assistant', model: 'assistant', content: { type: 'text', text } }),
  },
  run_agent_input: {
    is: 'the message of a user of an AG-UI agent',
    key: 'messages',
    made: (text) => [{ id: 'synthesized-1', role: 'user', content: text }],
  },
}

interface Block {
  readonly at: Path
  readonly prompt: string | undefined
  readonly place: TextSlot | undefined
}

/** What a model would have to write, and a fault for each block that no model can write. */
export function synthesisRequests(attack: LoadedAttack): { requests: SynthesisRequest[]; faults: string[] } {
  const requests: SynthesisRequest[] = []
  const faults: string[] = []
  for (const { at, prompt, place } of blocksIn(attack)) {
    const path = formatPath(at)
    if (prompt === undefined || prompt.trim() === '') faults.push(`${path} has no prompt`)
    else if (prompt.includes('{{'))
      faults.push(`${path}: the prompt has a template, and nothing is known to fill in before the run`)
    else if (place === undefined) faults.push(`${path}: a text alone is not what belongs there`)
    else requests.push({ path, prompt, place: place.is })
  }
  return { requests, faults }
}

/** The attack with texts in place of the blocks, by path; static content beside them gives way. */
export function withSynthesized(
  attack: LoadedAttack,
  texts: ReadonlyMap<string, string>,
): Result<LoadedAttack, string> {
  // Read from text, so everything in it is a plain value.
  const root = cloneValue(attack.written) as unknown as Value
  for (const { at, place } of blocksIn(attack)) {
    const text = texts.get(formatPath(at))
    if (text === undefined || place === undefined) continue
    if (text.trim() === '') return err(`the text for ${formatPath(at)} is empty`)
    if (text.length > oatfLimits.synthesized)
      return err(`the text for ${formatPath(at)} has more than ${oatfLimits.synthesized} characters`)
    const holder = at.slice(0, -1)
    const { synthesize: _, ...rest } = mappingAt(root, holder) ?? {}
    // What a model writes is text, never a template.
    put(root, holder, { ...rest, [place.key]: place.made(text.replaceAll('{{', '\\{{')) })
  }
  const patch = patchText(attack.text, root)
  if (!patch.ok) return err(patch.error[0]?.message ?? 'the document cannot be changed')
  const made = load(versionFirst(patch.value.text))
  return made.ok ? ok(made.value) : err(made.error[0]?.message ?? 'the document would not be valid')
}

function blocksIn({ written }: LoadedAttack): Block[] {
  const walk = walkDocument(written, syntaxOf(syntaxCheckers, defaultLimits))
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
  if (block === undefined) return []
  const given: ValueRecord = isRecord(block) ? block : {}
  return [{ at: [...at, 'synthesize'], prompt: ownText(given, 'prompt'), place }]
}

function placeOf(path: Path): TextSlot | undefined {
  const key = path.at(-1) === 'responses' ? path.at(-3) : path.at(-1)
  return typeof key === 'string' && Object.hasOwn(slots, key) ? slots[key] : undefined
}
