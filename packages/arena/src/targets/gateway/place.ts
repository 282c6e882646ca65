/** Slots by their paths: `/mcp/1`, `/a2a/2`, and below each of them the mark of a run and whatever a client asks for. */
import { CARD_PATH, OLD_CARD_PATH } from '../../drivers/a2a/well-known.ts'

/** What can be plugged into a slot. */
export type SlotKind = 'mcp' | 'a2a'

/** How many slots there are of each kind. */
export type Slots = { readonly [kind in SlotKind]: number }

/** What a request asks for. */
export interface Place {
  readonly kind: SlotKind
  /** Counts from 1. */
  readonly number: number
  /** The first part of the path below the slot; it may be the mark of a run. */
  readonly mark: string | undefined
  /** Path and query below the slot, and below the mark as well. */
  readonly below: (mark: string | undefined) => string
}

/** The path of a slot. */
export function slotPath(kind: SlotKind, number: number): string {
  return `/${kind}/${number}`
}

/** The slot that a path leads to. A card at the root of the host, where some clients look, is that of the first agent. */
export function placeOf(target: string): Place | undefined {
  const [path = '', query] = target.split(/(?=\?)/, 2)
  const isRootCard = path === CARD_PATH || path === OLD_CARD_PATH
  const [, kind, number = '', ...rest] = `${isRootCard ? slotPath('a2a', 1) : ''}${path}`.split('/')
  if ((kind !== 'mcp' && kind !== 'a2a') || !/^[1-9]\d{0,3}$/.test(number)) return undefined
  return {
    kind,
    number: Number(number),
    mark: rest[0],
    below: (mark) => `/${(mark !== undefined && rest[0] === mark ? rest.slice(1) : rest).join('/')}${query ?? ''}`,
  }
}
