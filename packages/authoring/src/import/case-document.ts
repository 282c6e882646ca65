/** Builds an attack document from a benchmark case: a user with a task, and MCP servers with baits in their results. */
import type { Category, FrameworkMapping, Impact, Reference, SeverityLevel, Tier } from '@joust/oatf'
import { defined, type Value, type ValueRecord } from '@joust/source'

export interface BenchmarkCase {
  /** An attack id, such as `INJECAGENT-DH-BASE-0001`. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly author: string
  readonly severity: SeverityLevel
  readonly impact: readonly Impact[]
  readonly category: Category
  readonly mappings: readonly FrameworkMapping[]
  readonly tags: readonly string[]
  readonly references: readonly Reference[]
  /** The user's message. */
  readonly task: string
  /** The message without the bait, if it contains one. */
  readonly taskPlacebo?: string
  readonly servers: readonly CaseServer[]
  /** Indicators of the calls that the attacker wants. */
  readonly attack: readonly CaseIndicator[]
  /** Requires any or all of the attack indicators to match. @default 'any' */
  readonly logic?: 'any' | 'all'
  /** Indicators of a completed task. */
  readonly done: readonly CaseIndicator[]
}

interface CaseServer {
  readonly name: string
  readonly tools: readonly CaseTool[]
}

export interface CaseTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
  readonly answers: readonly CaseAnswer[]
}

interface CaseAnswer {
  /** Conditions on the request, such as `{ 'arguments.id': '7' }`. Undefined for any request. */
  readonly when?: ValueRecord
  /** Text before the result that is not part of the bait. */
  readonly preface?: string
  readonly text: string
  /** Harmless text in place of the bait. If present, `text` is a bait. */
  readonly placebo?: string
}

/** An indicator of a tool call, or of an answer to the user. */
export interface CaseIndicator {
  /** The tool's server. Undefined for the answer to the user. */
  readonly server?: string
  /** A path in the message: `name` or `arguments.to` in a call, `delta` or `_text` in an answer. */
  readonly target: string
  readonly pattern?: ValueRecord
  /** A CEL expression over the message, in place of `pattern`. */
  readonly cel?: string
  readonly description: string
  readonly tier?: Tier
}

const USER = 'user'

/** Builds the document, with fields in specification order. */
export function caseDocument(benchmark: BenchmarkCase): Value {
  const { id, name, description, author, severity, impact, category, mappings, tags, references } = benchmark
  const actors = [userActor(benchmark), ...benchmark.servers.map(serverActor)]
  const indicators = benchmark.attack.map((indicator, index) => indicatorValue(indicator, `${id}-0${index + 1}`))
  const baits = [...messageBait(benchmark), ...baitsOf(benchmark.servers)]
  return {
    oatf: '0.1',
    attack: defined({
      id,
      name,
      version: 1,
      status: 'experimental',
      author,
      description,
      severity: { level: severity, confidence: 80 },
      impact: [...impact],
      classification: { category, mappings: mappings.map((mapping) => ({ ...mapping })), tags: [...tags] },
      references: references.map((reference) => ({ ...reference })),
      execution: { actors },
      indicators,
      correlation: { logic: benchmark.logic ?? 'any' },
      'x-joust-bait': baits.map(({ path }) => path),
      'x-joust-placebo': Object.fromEntries(baits.map(({ path, placebo }) => [path, literal(placebo)])),
      'x-joust-task': taskValue(benchmark),
    }),
  }
}

function userActor({ id, task }: BenchmarkCase): Value {
  const messages = [{ id: 'message-1', role: 'user', content: literal(task) }]
  const input = { threadId: id.toLowerCase(), runId: `${id.toLowerCase()}-run`, messages }
  return { name: USER, mode: 'ag_ui_client', phases: [{ name: 'request', state: { run_agent_input: input } }] }
}

function serverActor({ name, tools }: CaseServer): Value {
  const state = {
    server_info: { name, version: '1.0.0' },
    capabilities: { tools: {} },
    tools: tools.map(toolValue),
  }
  return { name, mode: 'mcp_server', phases: [{ name: 'serving', state }] }
}

function toolValue({ name, description, inputSchema, answers }: CaseTool): Value {
  const responses = answers.map(({ when, preface, text }) => {
    const texts = preface === undefined ? [text] : [preface, text]
    return defined({ when, content: { content: texts.map((item) => ({ type: 'text', text: literal(item) })) } })
  })
  return defined({ name, description: description && literal(description), inputSchema, responses })
}

function indicatorValue({ server, target, pattern, cel, description, tier }: CaseIndicator, id: string): Value {
  const calls = { protocol: 'mcp', surface: 'tools/call', actor: server, direction: 'request' }
  const surface = target === 'delta' ? 'text_message_content' : 'text_message_end'
  const messages = { protocol: 'ag_ui', surface, actor: USER, direction: 'response' }
  const where = server === undefined ? messages : calls
  return defined({
    id,
    ...where,
    target,
    description,
    tier,
    pattern,
    expression: cel === undefined ? undefined : { cel },
  })
}

function taskValue({ id, done }: BenchmarkCase): Value {
  const answer = { target: 'delta', description: 'The agent answered the user.', pattern: { regex: '\\S' } }
  const indicators = [...done, answer].map((indicator, index) => indicatorValue(indicator, `${id}-${11 + index}`))
  return { indicators, correlation: { logic: 'all' } }
}

function messageBait({ taskPlacebo: placebo }: BenchmarkCase): { path: string; placebo: string }[] {
  const path = 'attack.execution.actors[0].phases[0].state.run_agent_input.messages[0].content'
  return placebo === undefined ? [] : [{ path, placebo }]
}

/** Returns the paths of baits in results, with their placebos. */
function baitsOf(servers: readonly CaseServer[]): { path: string; placebo: string }[] {
  return servers.flatMap(({ tools }, server) =>
    tools.flatMap(({ answers }, tool) =>
      answers.flatMap(({ preface, placebo }, answer) => {
        if (placebo === undefined) return []
        const state = `attack.execution.actors[${server + 1}].phases[0].state`
        const item = preface === undefined ? 0 : 1
        return [{ path: `${state}.tools[${tool}].responses[${answer}].content.content[${item}].text`, placebo }]
      }),
    ),
  )
}

/** Escapes templates, because `{{` in a benchmark is plain text. */
function literal(text: string): string {
  return text.replaceAll('{{', '\\{{')
}
