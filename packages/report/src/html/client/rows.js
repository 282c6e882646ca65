/** The rows of a sequence diagram: messages, changes of phases, and what was left out. */
import { FLAG_BROKEN, FLAG_OUT } from './flags.js'

/** @import { ActorOutcome } from '@joust/arena' */
/** @import { TraceIndex } from './data.ts' */

/**
 * A vertical line of the diagram; the agent has no actor.
 * @typedef {object} Lane
 * @property {string} name
 * @property {string} mode
 * @property {boolean} agent
 */
/**
 * @typedef {{ kind: 'message', place: number }
 *   | { kind: 'broken', place: number }
 *   | { kind: 'gap', count: number }
 *   | { kind: 'phase', actor: string, phase: string, reason: string, elapsed: number, trigger: number | undefined }
 * } SequenceRow
 */
/** Where a phase of a lane begins, as the place of a row. @typedef {{ from: number, phase: string, ordinal: number }} Band */
/**
 * @typedef {object} Sequence
 * @property {Lane[]} lanes
 * @property {SequenceRow[]} rows
 * @property {Map<string, Band[]>} bands by actor, in order
 * @property {Map<number, string>} triggers the phase that a message led to, by its place
 */

/**
 * A trace as a diagram.
 * @param {TraceIndex} index
 * @param {readonly ActorOutcome[]} actors
 * @param {string} agent
 * @param {readonly string[]} clientModes
 * @returns {Sequence}
 */
export function sequenceOf(index, actors, agent, clientModes) {
  const changes = phaseChanges(index, actors)
  /** @type {SequenceRow[]} */
  const rows = []
  /** @type {Map<number, string>} */
  const triggers = new Map()
  /** @type {Map<string, Band[]>} */
  const bands = new Map()
  const begin = (/** @type {string} */ actor, /** @type {string} */ phase) => {
    const list = bands.get(actor) ?? []
    list.push({ from: rows.length, phase, ordinal: list.length })
    bands.set(actor, list)
  }
  for (const { name, phases } of actors) if (phases[0] !== undefined) begin(name, phases[0].phase)
  for (let place = 0; place <= index.seq.length; place++) {
    for (const change of changes.get(place) ?? []) {
      begin(change.actor, change.phase)
      rows.push(change)
      if (change.trigger !== undefined) triggers.set(change.trigger, change.phase)
    }
    const gap = index.gaps[place]
    if (gap !== undefined) rows.push({ kind: 'gap', count: gap })
    if (place < index.seq.length) rows.push({ kind: isBroken(index, place) ? 'broken' : 'message', place })
  }
  return { lanes: lanesOf(index, actors, agent, clientModes), rows, bands, triggers }
}

/**
 * The phase that a lane is in at a row.
 * @param {readonly Band[]} bands
 * @param {number} row
 * @returns {Band | undefined}
 */
export function bandAt(bands, row) {
  return bands.findLast((band) => band.from <= row)
}

/**
 * Who plays the user's side stands left of the agent, what the agent uses right of it.
 * @param {TraceIndex} index
 * @param {readonly ActorOutcome[]} actors
 * @param {string} agent
 * @param {readonly string[]} clientModes
 * @returns {Lane[]}
 */
function lanesOf(index, actors, agent, clientModes) {
  /** @type {Map<string, Lane>} */
  const lanes = new Map()
  for (const { name, mode } of [...actors, ...index.actors]) {
    if (!lanes.has(name)) lanes.set(name, { name, mode, agent: false })
  }
  const isClient = (/** @type {Lane} */ { mode }) => clientModes.includes(mode)
  const all = [...lanes.values()]
  const middle = { name: agent, mode: 'agent', agent: true }
  return [...all.filter(isClient), middle, ...all.filter((lane) => !isClient(lane))]
}

/**
 * The changes of phases, by the place of the message that they come before.
 * @param {TraceIndex} index
 * @param {readonly ActorOutcome[]} actors
 * @returns {Map<number, Extract<SequenceRow, { kind: 'phase' }>[]>}
 */
function phaseChanges(index, actors) {
  /** @type {Map<number, Extract<SequenceRow, { kind: 'phase' }>[]>} */
  const changes = new Map()
  for (const { name, phases } of actors) {
    const mine = placesOf(index, name)
    let after = 0
    for (const [number, { phase, reason, elapsed_ms: elapsed }] of phases.entries()) {
      if (number === 0) continue
      const before = phases[number - 1]?.phase
      const earlier = mine.filter(
        (place) => (index.elapsed[place] ?? 0) <= elapsed && index.strings[index.phase[place] ?? -1] === before,
      )
      const last = earlier.at(-1)
      // Time alone leaves no message behind: the change stands where its time is.
      const timed = index.elapsed.findIndex((at) => at > elapsed)
      const byTime = timed < 0 ? index.seq.length : timed
      const place = Math.max(after, reason === 'event_matched' && last !== undefined ? last + 1 : byTime)
      const trigger = reason === 'event_matched' ? earlier.findLast((at) => !isOut(index, at)) : undefined
      changes.set(place, [
        ...(changes.get(place) ?? []),
        { kind: 'phase', actor: name, phase, reason, elapsed, trigger },
      ])
      after = place
    }
  }
  return changes
}

/**
 * @param {TraceIndex} index
 * @param {string} actor
 * @returns {number[]}
 */
function placesOf(index, actor) {
  const numbers = new Set(index.actors.flatMap(({ name }, number) => (name === actor ? [number] : [])))
  return index.actor.flatMap((number, place) => (numbers.has(number) && !isBroken(index, place) ? [place] : []))
}

/**
 * @param {TraceIndex} index
 * @param {number} place
 */
function isOut(index, place) {
  return ((index.flags[place] ?? 0) & FLAG_OUT) !== 0
}

/**
 * @param {TraceIndex} index
 * @param {number} place
 */
function isBroken(index, place) {
  return ((index.flags[place] ?? 0) & FLAG_BROKEN) !== 0
}
