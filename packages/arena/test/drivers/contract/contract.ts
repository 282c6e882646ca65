/** The contract of all drivers, for any protocol. */
import type { Extractor, Phase } from '@joust/oatf'
import { afterEach, describe, expect, test } from 'vitest'
import { settle } from '../../support/fake-clock.ts'
import type { Rig } from './rig.ts'
import { type Play, setUp } from './stage-set.ts'

/** Runs the contract. */
export function describeContract(name: string, rig: Rig): void {
  describe(`contract: ${name}`, () => {
    let set: Play | undefined
    afterEach(async () => {
      await set?.actor.close()
      expect(set?.clock.pending()).toBe(0)
      set = undefined
    })
    const caught: Extractor = { name: 'caught', source: rig.source, type: 'json_path', selector: rig.selector }
    const first = (trigger: Phase['trigger'], say = 'one'): Phase => ({
      name: 'first',
      state: rig.state(say),
      extractors: [caught],
      ...(trigger === undefined ? {} : { trigger }),
    })
    const second: Phase = { name: 'second', state: rig.state('two {{caught}}') }

    /** Sets up the actor; a server listens first. */
    const begin = async (phases: readonly Phase[]): Promise<Play> => {
      set = setUp(rig, phases)
      if (rig.role === 'server') await set.actor.listen()
      return set
    }
    /** Each text is one exchange in which the peer speaks. */
    const play = async ({ actor, joined, clock }: Play, texts: readonly string[]): Promise<void> => {
      if (rig.role === 'client') {
        for (const text of texts) await joined.speak(text)
        actor.begin()
        await clock.advance(10)
        return
      }
      actor.begin()
      for (const text of texts) {
        await joined.speak(text)
        await clock.advance(10)
      }
    }
    const spoken = ({ recorder }: Play, text: string) =>
      recorder.entries.filter((entry) => JSON.stringify(entry.content).includes(text))

    test('received and sent messages are in the trace under their protocol names', async () => {
      const set = await begin([first(undefined)])
      await play(set, ['peer-says'])
      const heard = spoken(set, 'peer-says').find((entry) => entry.flow === 'in')
      expect(heard).toMatchObject({
        actor: 'actor',
        mode: rig.mode,
        phase: 'first',
        surface: rig.event,
        direction: rig.source,
      })
      const said = spoken(set, '"one"').find((entry) => entry.flow === 'out')
      const other = rig.source === 'request' ? 'response' : 'request'
      expect(said).toMatchObject({ phase: 'first', direction: other, flow: 'out' })
      expect(set.joined.heard()).toContain('one')
      expect(set.recorder.entries.every((entry, index) => entry.seq === index + 1)).toBe(true)
    })

    test('an event is answered by its own phase, then the next one begins, with what was captured', async () => {
      const set = await begin([first({ event: rig.event }), second])
      await play(set, ['peer-says', 'again'])
      expect(set.joined.heard()).toEqual(['one', 'two peer-says'])
      expect(set.actor.outcome().phases.map(({ phase, reason }) => `${phase} ${reason}`)).toEqual([
        'first start',
        'second event_matched',
      ])
    })

    test('after fires without traffic', async () => {
      const set = await begin([first({ after: '3s' }, 'early'), { name: 'late', state: rig.state('late') }])
      if (rig.role === 'client') await play(set, ['a', 'b'])
      else set.actor.begin()
      await set.clock.advance(2900)
      expect(set.actor.outcome().phases).toHaveLength(1)
      await set.clock.advance(200)
      expect(set.actor.outcome().phases.map((visit) => visit.phase)).toEqual(['first', 'late'])
      if (rig.role === 'server') await set.joined.speak('a')
      await settle()
      expect(set.joined.heard().at(-1)).toBe('late')
    })

    test('a terminal phase: a server goes on serving, a client is done', async () => {
      const set = await begin([first(undefined)])
      await play(set, ['x', 'y'])
      expect(set.joined.heard()).toEqual(rig.role === 'server' ? ['one', 'one'] : ['one'])
      expect(set.actor.outcome().status).toBe(rig.role === 'server' ? 'serving' : 'finished')
    })

    test('a template without a value is empty, which is reported', async () => {
      const set = await begin([first(undefined, 'a{{nothing}}b')])
      await play(set, ['x'])
      expect(set.joined.heard()).toContain('ab')
      expect(set.reports.all().map(({ code }) => code)).toContain('W-004')
    })

    test('a value that was captured is never expanded again', async () => {
      const set = await begin([first({ event: rig.event }), second])
      await play(set, ['{{caught}}', 'x'])
      expect(set.joined.heard()[1]).toBe('two {{caught}}')
    })

    test('malformed messages are recorded, and do no harm', async () => {
      const set = await begin([first({ event: rig.event, after: '2s' }), second])
      if (rig.role === 'server') set.actor.begin()
      await set.joined.garbage()
      if (rig.role === 'client') {
        await set.joined.speak('x')
        set.actor.begin()
      }
      await set.clock.advance(10)
      const kept = set.recorder.entries.filter((entry) => entry.malformed !== undefined)
      expect(kept).toHaveLength(1)
      expect(kept[0]).toMatchObject({ flow: 'in', phase: 'first' })
      expect(set.reports.all().map(({ code }) => code)).toContain('message-malformed')
      await set.clock.advance(6000)
      expect(set.actor.outcome().phases.map((visit) => visit.phase)).toEqual(['first', 'second'])
    })

    test('an unknown entry action is reported', async () => {
      const set = await begin([{ ...first(undefined), on_enter: [{ juggle: { balls: 3 } }] }])
      await play(set, ['x'])
      expect(set.reports.all().map(({ code }) => code)).toContain('unknown-action')
      expect(set.joined.heard()).toContain('one')
    })

    test('nothing is recorded after the end, and closing twice is fine', async () => {
      const set = await begin([first(undefined)])
      await play(set, ['x'])
      await set.actor.close()
      const before = set.recorder.entries.length
      await set.actor.close()
      await set.joined.speak('late').catch(() => {})
      await settle()
      expect(set.recorder.entries).toHaveLength(before)
    })

    test('closing before anything has happened is fine', async () => {
      const set = await begin([first(undefined)])
      await set.actor.close()
      expect(set.recorder.entries).toEqual([])
    })
  })
}
