import type { Trigger } from '@joust/oatf'
import { array, assert, constantFrom, nat, oneof, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PhaseInput,
  type PhasePlan,
  type PhaseState,
  startPhases,
  stepPhases,
} from '../../src/actors/phase-machine.ts'

const plan = (triggers: (Trigger | undefined)[], role: PhasePlan['role'] = 'server'): PhasePlan => ({
  triggers,
  role,
  limitMs: 1000,
  stallMs: 100,
})
const event = (at: number, phase: number, event_type: string, content = {}): PhaseInput => ({
  kind: 'event',
  at,
  phase,
  event: { event_type, content },
})
const tick = (at: number): PhaseInput => ({ kind: 'tick', at })
const acted = (at: number, phase: number): PhaseInput => ({ kind: 'acted', at, phase })

/** Feeds inputs; returns the phases entered and the end. */
function follow(of: PhasePlan, inputs: readonly PhaseInput[]) {
  let step = startPhases(of, 0)
  const log: string[] = []
  for (const input of inputs) {
    step = stepPhases(of, step.state, input)
    for (const effect of step.effects)
      log.push(effect.kind === 'enter' ? `${effect.index} ${effect.reason}` : effect.reason)
  }
  return { log, ...step }
}

describe('triggers', () => {
  test('an event of the right name and content advances', () => {
    const of = plan([{ event: 'tools/call', match: { name: 'a' } }, undefined])
    expect(follow(of, [event(1, 0, 'tools/list'), event(2, 0, 'tools/call', { name: 'b' })]).log).toEqual([])
    expect(follow(of, [event(1, 0, 'tools/call', { name: 'a' })]).log).toEqual(['1 event_matched'])
  })

  test('the counter starts anew in each phase', () => {
    const of = plan([{ event: 'x', count: 2 }, { event: 'x', count: 2 }, undefined])
    const { log } = follow(of, [event(1, 0, 'x'), event(2, 0, 'x'), event(3, 1, 'x'), event(4, 1, 'x')])
    expect(log).toEqual(['1 event_matched', '2 event_matched'])
  })

  test('an event that arrived in an earlier phase does not count in a later one', () => {
    const of = plan([{ event: 'x' }, { event: 'x' }, undefined])
    expect(follow(of, [event(1, 0, 'x'), event(2, 0, 'x')]).state).toMatchObject({ index: 1, count: 0 })
  })

  test('after fires on the clock alone, measured from the entry of the phase', () => {
    const of = plan([{ event: 'x' }, { after: '2s' }, undefined])
    expect(follow(of, [event(500, 0, 'x')]).wakeAt).toBe(2500)
    expect(follow(of, [event(500, 0, 'x'), tick(2499)]).state.index).toBe(1)
    expect(follow(of, [event(500, 0, 'x'), tick(2500)]).log).toEqual(['1 event_matched', '2 timeout'])
  })

  test('the first of event and timeout fires', () => {
    const of = plan([{ event: 'x', after: '1s' }, undefined])
    expect(follow(of, [event(10, 0, 'x')]).log).toEqual(['1 event_matched'])
    expect(follow(of, [tick(1000)]).log).toEqual(['1 timeout'])
  })

  test('the trigger of the last phase ends the actor, which stays in that phase', () => {
    const { log, state, wakeAt } = follow(plan([{ event: 'x' }]), [event(1, 0, 'x'), event(2, 0, 'x'), tick(9999)])
    expect(log).toEqual(['triggered'])
    expect(state.index).toBe(0)
    expect(wakeAt).toBeUndefined()
  })
})

describe('terminal phases', () => {
  test('a server serves until its time limit', () => {
    expect(startPhases(plan([undefined]), 5).wakeAt).toBe(1005)
    expect(follow(plan([undefined]), [event(1, 0, 'x'), tick(999)]).log).toEqual([])
    expect(follow(plan([undefined]), [tick(1000)]).log).toEqual(['expired'])
  })

  test('a client ends when it has acted, or at its limit', () => {
    expect(follow(plan([undefined], 'client'), [acted(3, 0)]).log).toEqual(['done'])
    expect(follow(plan([undefined], 'client'), [tick(1000)]).log).toEqual(['expired'])
  })
})

describe('waiting clients', () => {
  test('a client that has acted waits for its trigger, then stalls', () => {
    const of = plan([{ event: 'x' }, undefined], 'client')
    expect(follow(of, [acted(10, 0)])).toMatchObject({ log: [], wakeAt: 110 })
    expect(follow(of, [acted(10, 0), event(50, 0, 'x')]).log).toEqual(['1 event_matched'])
    expect(follow(of, [acted(10, 0), tick(110)]).log).toEqual(['stalled'])
  })

  test('a trigger with after does not stall', () => {
    const of = plan([{ event: 'x', after: '5s' }, undefined], 'client')
    expect(follow(of, [acted(10, 0), tick(1000)])).toMatchObject({ log: [], wakeAt: 5000 })
  })

  test('answers of an earlier phase do not count in this one', () => {
    const of = plan([{ event: 'x' }, undefined], 'client')
    expect(follow(of, [event(1, 0, 'x'), acted(2, 0)]).log).toEqual(['1 event_matched'])
  })
})

// A second, naive implementation of §5.2 and §5.3: it goes through all events of a phase again for each input.
interface Naive {
  index: number
  enteredAt: number
  seen: string[]
  acted: number | undefined
  end: string | undefined
}

function naive(of: PhasePlan, inputs: readonly PhaseInput[]): string[] {
  const log: string[] = []
  const now: Naive = { index: 0, enteredAt: 0, seen: [], acted: undefined, end: undefined }
  for (const input of inputs) {
    if (now.end !== undefined) continue
    const mine = input.kind === 'tick' || input.phase === now.index
    if (input.kind === 'acted' && mine) now.acted ??= input.at
    const trigger = of.triggers[now.index]
    const leave = (reason: string) => {
      if (now.index + 1 === of.triggers.length) {
        now.end = 'triggered'
        log.push('triggered')
        return
      }
      Object.assign(now, { index: now.index + 1, enteredAt: input.at, seen: [], acted: undefined })
      log.push(`${now.index} ${reason}`)
    }
    if (trigger === undefined) {
      if (of.role === 'client' && now.acted !== undefined) now.end = 'done'
      else if (input.at - now.enteredAt >= of.limitMs) now.end = 'expired'
      if (now.end !== undefined) log.push(now.end)
      continue
    }
    const seconds = trigger.after === undefined ? undefined : Number.parseInt(trigger.after, 10)
    if (seconds !== undefined && input.at - now.enteredAt >= seconds * 1000) {
      leave('timeout')
      continue
    }
    if (input.kind === 'event' && mine) now.seen.push(input.event.event_type)
    const matching = now.seen.filter((name) => name === trigger.event).length
    const counted = input.kind === 'event' && mine && input.event.event_type === trigger.event
    if (counted && matching >= (trigger.count ?? 1)) leave('event_matched')
    else if (now.acted !== undefined && seconds === undefined && input.at - now.acted >= of.stallMs) {
      now.end = 'stalled'
      log.push('stalled')
    }
  }
  return log
}

const names = constantFrom('x', 'y')
const trigger = oneof(
  record({
    event: names,
    count: option(
      nat(3).map((n) => n + 1),
      { nil: undefined },
    ),
  }),
  record({ after: constantFrom('1s', '2s') }),
  record({ event: names, after: constantFrom('1s', '3s') }),
)
const raw = array(
  record({ gap: nat(900), phase: nat(3), kind: constantFrom('event', 'event', 'tick', 'acted'), name: names }),
  { maxLength: 40 },
)

test('agrees with the naive model', () => {
  const inputs = raw.map((list) => {
    let at = 0
    return list.map(({ gap, phase, kind, name }): PhaseInput => {
      at += gap
      if (kind === 'tick') return tick(at)
      return kind === 'acted' ? acted(at, phase) : event(at, phase, name)
    })
  })
  const plans = record({
    triggers: array(trigger, { maxLength: 3 }),
    terminal: constantFrom(true, false),
    role: constantFrom('server' as const, 'client' as const),
  })
  assert(
    property(plans, inputs, ({ triggers, terminal, role }, list) => {
      // JSON drops the counts that are undefined.
      const clean = triggers.map((one) => JSON.parse(JSON.stringify(one)) as Trigger)
      const of = plan(terminal || clean.length === 0 ? [...clean, undefined] : clean, role)
      expect(follow(of, list).log).toEqual(naive(of, list))
    }),
    { numRuns: 500 },
  )
})

test('never goes back, and never sets a timer in the past', () => {
  const of = plan([{ event: 'x', after: '1s' }, { after: '1s' }, undefined])
  let state: PhaseState = startPhases(of, 0).state
  for (let at = 0; at < 5000; at += 250) {
    const step = stepPhases(of, state, tick(at))
    expect(step.state.index).toBeGreaterThanOrEqual(state.index)
    if (step.wakeAt !== undefined) expect(step.wakeAt).toBeGreaterThan(at)
    state = step.state
  }
})
