/** A front door: client actors of every protocol reach an agent that takes text and answers with text. */
import type { HttpHandler, HttpListening } from '../../model/http.ts'
import { arenaLimits, defaultRunLimits } from '../../model/limits.ts'
import type { Abilities } from '../../model/needs.ts'
import type { TargetArena, TargetSession } from '../../model/target.ts'
import type { ClientMode, Connect } from '../../model/wiring.ts'
import { createMemoryHttp } from '../../transport/memory-http.ts'
import { a2aDoor } from './a2a.ts'
import { agUiDoor } from './ag-ui.ts'
import { mcpDoor } from './mcp.ts'
import { createReception, type DoorContext, type OpenConversation } from './reception.ts'
import { DEFAULT_PROMPT, type Pasteable, promptLine } from './request.ts'

/** What a front door opens to. */
export interface FrontDoorOptions {
  /** Who is behind it, for people. */
  readonly name: string
  readonly open: OpenConversation
  /** What is asked when the document has no client actor. */
  readonly prompt?: string | undefined
  /** What is pasted into the prompt because the agent cannot get it otherwise. */
  readonly paste?: readonly Pasteable[] | undefined
  /** How long a turn may take, in milliseconds: the front door is as patient as the agent may be slow. */
  readonly turnMs?: number
}

const doors: Readonly<Record<string, (context: DoorContext) => HttpHandler>> = {
  ag_ui_client: agUiDoor,
  a2a_client: a2aDoor,
  mcp_client: mcpDoor,
} satisfies Record<ClientMode, (context: DoorContext) => HttpHandler>

/** What every front door can do; targets add what else they can carry. */
export const frontDoorAbilities: Pick<Abilities, 'clients' | 'servers'> = {
  clients: Object.keys(doors),
  servers: ['mcp_server'],
}

/** The session of a target behind a front door. Its `stop` ends every conversation. */
export async function openFrontDoor(options: FrontDoorOptions, arena: TargetArena): Promise<TargetSession> {
  const { name, prompt = DEFAULT_PROMPT, turnMs = arenaLimits.commandMs } = options
  const reception = createReception(options.open, options.paste ?? [], arena.signal)
  const faults = new Set<string>()
  const context: DoorContext = {
    reception,
    newId: () => crypto.randomUUID(),
    maxBytes: defaultRunLimits.messageBytes,
    fail: (fault) => faults.add(fault),
  }
  const { listen, send } = createMemoryHttp()
  const listening: HttpListening[] = []
  const endpoints: [string, Connect][] = []
  for (const { actor, mode } of arena.clients) {
    const door = doors[mode]
    if (door === undefined) continue
    const place = await listen(door(context))
    listening.push(place)
    endpoints.push([actor, { kind: 'http', url: `${place.origin}/agent`, send, replyMs: turnMs + arenaLimits.doorMs }])
  }
  const isAlone = arena.clients.length === 0
  const ask = async () => {
    const said = { words: prompt, beside: {} }
    await reception.take({ thread: 'user', said, input: { prompt }, mayBeSilent: true })
  }
  return {
    endpoints: Object.fromEntries(endpoints),
    wiring: isAlone
      ? [promptLine(prompt, `through ${name} `)]
      : arena.clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → ${name}, a prompt for each message`),
    ...(isAlone ? { turn: () => untilOver(ask(), arena.signal) } : {}),
    output: () => reception.answer() ?? '',
    notes: reception.notes,
    faults: () => (arena.signal.aborted ? [] : [...faults]),
    async stop() {
      await reception.close()
      await Promise.allSettled(listening.map((place) => place.close()))
    },
  }
}

/** When the run is over, a turn that fails is nobody's failure. */
async function untilOver(turn: Promise<void>, over: AbortSignal): Promise<void> {
  try {
    await turn
  } catch (thrown) {
    if (!over.aborted) throw thrown
  }
}
