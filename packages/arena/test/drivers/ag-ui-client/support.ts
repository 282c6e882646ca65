/** The driver against an agent in memory. */
import { isRecord, type Value, type ValueRecord } from '@joust/source'
import { onTestFinished } from 'vitest'
import { createAgUiClientDriver } from '../../../src/drivers/ag-ui-client/driver.ts'
import type { Driver, DriverContext, Scene } from '../../../src/drivers/driver.ts'
import type { HttpHandler, HttpReply, HttpRequest } from '../../../src/model/http.ts'
import { writeEvent } from '../../../src/transport/event-stream.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage, type FakeStage } from '../../support/fake-stage.ts'

export interface Play {
  readonly stage: FakeStage
  readonly clock: FakeClock
  readonly driver: Driver
  /** Every request, and every body, in order. */
  readonly requests: HttpRequest[]
  readonly bodies: ValueRecord[]
  perform(scene?: Scene, signal?: AbortSignal): Promise<void>
  /** Every message as one line: `out request run_agent_input`. */
  lines(): string[]
  contents(surface: string): Value[]
  codes(): string[]
}

export interface PlayOptions extends Partial<DriverContext> {
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

/** A driver in its first phase, and an agent that answers its requests. */
export async function play(state: Value, agent: HttpHandler, options: PlayOptions = {}): Promise<Play> {
  const { headers = {}, path = '/', ...changes } = options
  const network = createMemoryHttp()
  const requests: HttpRequest[] = []
  const bodies: ValueRecord[] = []
  const listening = await network.listen((request, reply) => {
    requests.push(request)
    bodies.push(bodyOf(request))
    return agent(request, reply)
  })
  const stage = createFakeStage('ag_ui_client', state)
  const clock = createFakeClock()
  const url = `${listening.origin}${path}`
  const driver = createAgUiClientDriver(contextOf(stage, clock, changes), {
    kind: 'http',
    url,
    headers,
    send: network.send,
  })
  onTestFinished(async () => {
    await driver.close()
    await listening.close()
  })
  await driver.open()
  return {
    stage,
    clock,
    driver,
    requests,
    bodies,
    perform: async (scene = stage.scene(), signal = new AbortController().signal) => driver.perform?.(scene, signal),
    lines: () => stage.messages.map(({ flow, direction, surface }) => `${flow} ${direction} ${surface}`),
    contents: (surface) => stage.messages.filter((one) => one.surface === surface).map(({ content }) => content),
    codes: () => stage.reports.map(({ code }) => code),
  }
}

/** The JSON body of a request; an empty object if it is not an object. */
function bodyOf({ body }: HttpRequest): ValueRecord {
  const value: unknown = JSON.parse(new TextDecoder().decode(body))
  return isRecord(value) ? value : {}
}

/** An agent that streams these events, a different list for each request; the last one is repeated. */
export function streams(...runs: readonly (readonly Value[])[]): HttpHandler {
  let next = 0
  return async (_, reply) => {
    await sendEvents(reply, runs[Math.min(next++, runs.length - 1)] ?? [])
    await reply.end()
  }
}

/** Sends the headers, then the events. */
export async function sendEvents(reply: HttpReply, events: readonly Value[]): Promise<void> {
  reply.head(200, { 'content-type': 'text/event-stream' })
  for (const event of events) await reply.write(writeEvent({ data: JSON.stringify(event) }))
}

/** An agent that answers once, with any bytes. */
export function answers(status: number, type: string, body: string): HttpHandler {
  return async (_, reply) => {
    reply.head(status, { 'content-type': type })
    await reply.end(body)
  }
}

export const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
export const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

/** The events of a whole tool call. */
export function call(id: string, name: string, args = '{}'): ValueRecord[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
    { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
    { type: 'TOOL_CALL_END', toolCallId: id },
  ]
}

/** A whole run. */
export function runOf(...events: readonly Value[]): Value[] {
  return [started, ...events, finished]
}

/** The smallest complete state. */
export const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} }
