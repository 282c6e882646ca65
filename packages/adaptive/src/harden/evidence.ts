/** Evidence from runs without restraints: listed tools, calls and matched messages. */
import { roleOf } from '@joust/oatf'
import { type AttackResults, outcomeMatches, type ResultIndicatorVerdict, type TraceEntry } from '@joust/results'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import { isRecord, own, ownList, ownText, readJson, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'

export interface SeenCall {
  readonly seq: number
  readonly actor: string
  /** The name of the tool. Undefined for a call to a remote agent. */
  readonly tool?: string
  /** True for a local call that the agent reported to its front end, which is an actor. */
  readonly local?: true
  readonly args: ValueRecord
}

/** The input of one agent run. */
export interface SeenInput {
  /** Aliases on the path from the root to the agent. */
  readonly path: readonly string[]
  readonly input: Value
}

/** A call reported by the agent, matched to a message by content because messages may be recorded late. */
interface SeenAct {
  readonly name: string
  readonly args: Value
  /** Active runs at the time of the call, nested or concurrent. */
  readonly during: readonly SeenInput[]
}

/** The evidence from one attack. */
export interface Evidence {
  readonly attack: SuiteAttack
  readonly results: AttackResults
  readonly actors: readonly string[]
  /** Names of listed tools by actor, in order. */
  readonly offers: ReadonlyMap<string, readonly string[]>
  readonly calls: readonly SeenCall[]
  readonly inputs: readonly SeenInput[]
  /** Calls that count towards an agent's limits, including resource reads. */
  readonly acts: readonly SeenAct[]
  /** Sequence numbers of messages that show that the attack succeeded (`matched`) or the task was done (`wanted`). */
  readonly matched: readonly number[]
  readonly wanted: readonly number[]
}

/** A collector of the evidence from one attack. */
export interface EvidenceWatch {
  message(entry: TraceEntry): void
  agent(event: AgentEvent): void
  evidence(attack: SuiteAttack, results: AttackResults): Evidence
}

export function createEvidence(): EvidenceWatch {
  const actors = new Set<string>()
  const offers = new Map<string, string[]>()
  const calls: SeenCall[] = []
  const inputs: SeenInput[] = []
  const running: SeenInput[] = []
  const acts: SeenAct[] = []
  const reports = new Map<string, ReportedCall>()
  return {
    message(entry) {
      const { actor, mode, flow, surface, content, malformed } = entry
      if (malformed === undefined && flow === 'in' && surface.startsWith('tool_call_')) addReport(reports, entry)
      if (roleOf(mode) !== 'server' || malformed !== undefined) return
      actors.add(actor)
      if (flow === 'out' && surface === 'tools/list') note(offers, actor, content)
      if (flow === 'in' && entry.derived !== true) {
        const call = callOf(entry)
        if (call !== undefined) calls.push(call)
      }
    },
    agent(event) {
      if (event.type === 'agent-started') {
        const begun = { path: event.agent, input: event.input }
        inputs.push(begun)
        running.push(begun)
      } else if (event.type === 'tool-called') {
        const { kind, name, args } = event
        if (kind === 'local' || kind === 'mcp' || kind === 'remote') acts.push({ name, args, during: [...running] })
      } else if (event.type === 'agent-finished' || event.type === 'agent-failed') {
        const at = running.findLastIndex(({ path }) => path.join('/') === event.agent.join('/'))
        if (at >= 0) running.splice(at, 1)
      }
    },
    evidence(attack, results) {
      const first = results.trials.find(({ trial }) => trial === 1)
      const matches = first === undefined ? [] : matchedIn(outcomeMatches(first))
      const { local, same } = settle([...reports.values()], calls, matches)
      const seen = { actors: [...actors], offers, calls: [...calls, ...local], inputs, acts }
      const wanted = matchedIn(first?.task?.indicator_verdicts ?? [])
      return { attack, results, ...seen, matched: [...matches, ...same], wanted }
    },
  }
}

interface ReportedCall {
  readonly actor: string
  readonly tool: string
  readonly seqs: number[]
  args: ValueRecord
}

function addReport(reports: Map<string, ReportedCall>, { seq, actor, content, arguments: text }: TraceEntry): void {
  const id = ownText(content, 'toolCallId')
  if (id === undefined) return
  const tool = ownText(content, 'toolCallName')
  const call = reports.get(id) ?? (tool === undefined ? undefined : { actor, tool, seqs: [], args: {} })
  // Ignore the result of an unreported call.
  if (call === undefined) return
  reports.set(id, call)
  call.seqs.push(seq)
  const args = text === undefined ? undefined : readJson(text)
  if (args?.ok === true && isRecord(args.value)) call.args = args.value
}

/** Separates calls reported to front ends into local calls and duplicates of server calls. */
function settle(reports: readonly ReportedCall[], calls: readonly SeenCall[], matches: readonly number[]) {
  const local: SeenCall[] = []
  const same: number[] = []
  for (const { actor, tool, args, seqs } of reports) {
    const matched = seqs.find((seq) => matches.includes(seq))
    const alike = calls.filter((call) => isNamed(tool, call.tool ?? '') && writeJson(call.args) === writeJson(args))
    if (alike.length === 0) local.push({ seq: matched ?? seqs[0] ?? 0, actor, tool, args, local: true })
    else if (matched !== undefined) same.push(...alike.map(({ seq }) => seq))
  }
  return { local, same }
}

/** True if the call shows that the attack succeeded. */
export function isAbuse({ matched }: Evidence, { seq }: SeenCall): boolean {
  return matched.includes(seq)
}

/** Returns the reported call for a message. Calls with identical content are matched in order. */
export function actOf({ acts, calls }: Evidence, call: SeenCall): SeenAct | undefined {
  const { tool } = call
  if (tool === undefined) return undefined
  const args = writeJson(call.args)
  const alike = calls.filter((one) => one.tool === tool && one.actor === call.actor && writeJson(one.args) === args)
  const candidates = acts.filter(({ name, args: actArgs }) => isNamed(name, tool) && writeJson(actArgs) === args)
  return candidates[alike.indexOf(call)]
}

function isNamed(name: string, tool: string): boolean {
  return name === tool || name.endsWith(`__${tool}`)
}

function matchedIn(verdicts: readonly ResultIndicatorVerdict[]): number[] {
  return verdicts.flatMap(({ result, entry }) => (result === 'matched' && entry?.flow === 'in' ? [entry.seq] : []))
}

function callOf({ seq, actor, mode, surface, content }: TraceEntry): SeenCall | undefined {
  if (!isRecord(content)) return undefined
  if (mode === 'a2a_server') return surface.startsWith('message/') ? { seq, actor, args: content } : undefined
  const tool = ownText(content, 'name')
  const args = own(content, 'arguments')
  if (surface !== 'tools/call' || tool === undefined) return undefined
  return { seq, actor, tool, args: isRecord(args) ? args : {} }
}

function note(offers: Map<string, string[]>, actor: string, content: Value): void {
  const names = ownList(content, 'tools').flatMap((tool) => ownText(tool, 'name') ?? [])
  offers.set(actor, [...new Set([...(offers.get(actor) ?? []), ...names])])
}
