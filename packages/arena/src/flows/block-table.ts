/** A hash table of text blocks, in typed arrays because runs commonly have hundreds of thousands of blocks. */

/** `hash` distinguishes blocks with the same key. */
interface Block {
  readonly key: number
  readonly hash: number
  /** The two characters before and after the block, as bytes. */
  readonly around: number
}

/** A stored block: its text number, and its offset in that text. */
export interface StoredBlock {
  readonly value: number
  readonly from: number
}

/** Maximum number of stored locations per block. */
const MOST_PLACES = 6
/** Maximum number of owners of a block; a more frequent block is not evidence. */
const MOST_OWNERS = 4
const EVERYWHERE = -1

const [VALUE, FROM, OWNER, HASH, AROUND, NEXT, WIDTH] = [0, 1, 2, 3, 4, 5, 6]

/** Maps keys to their first row, in slots of two numbers; row 0 marks a free slot. */
function createSlots() {
  let slots = new Int32Array(2 ** 11)
  let shift = 22
  let count = 0
  const indexOf = (key: number): number => {
    let index = (key >>> shift) * 2 + 1
    while (slots[index] !== 0 && slots[index - 1] !== key) index = (index + 2) & (slots.length - 1)
    return index
  }
  const grow = () => {
    const before = slots
    slots = new Int32Array(2 * before.length)
    shift--
    for (let old = 1; old < before.length; old += 2) {
      const key = before[old - 1] ?? 0
      if (before[old] !== 0) slots.set([key, before[old] ?? 0], indexOf(key) - 1)
    }
  }
  return {
    indexOf,
    placeAt: (index: number) => slots[index] ?? 0,
    set(index: number, key: number, place: number): void {
      if (slots[index] === 0) count++
      slots.set([key, place], index - 1)
      if (count * 4 > slots.length) grow()
    },
  }
}

export function createBlockTable() {
  const slots = createSlots()
  /** Rows in chains of equal keys. A row is identified by its offset; 0 ends a chain. */
  let rows = new Int32Array(1024 * WIDTH)
  let end = WIDTH
  const column = (place: number, offset: number) => rows[place + offset] ?? 0
  const addRow = (row: readonly number[]): number => {
    if (end + WIDTH > rows.length) {
      const before = rows
      rows = new Int32Array(2 * before.length)
      rows.set(before)
    }
    rows.set(row, end)
    end += WIDTH
    return end - WIDTH
  }
  return {
    add({ key, hash, around }: Block, { value, from }: StoredBlock, owner: number): void {
      const index = slots.indexOf(key)
      const head = slots.placeAt(index)
      if (head === EVERYWHERE) return
      let [last, length, isOwner] = [0, 0, false]
      const owners: number[] = []
      for (let place = head; place !== 0; place = column(place, NEXT)) {
        last = place
        length++
        const other = column(place, OWNER)
        isOwner ||= other === owner
        if (!owners.includes(other)) owners.push(other)
      }
      if (!isOwner && owners.length >= MOST_OWNERS) slots.set(index, key, EVERYWHERE)
      else if (length < MOST_PLACES) {
        const place = addRow([value, from, owner, hash, around, 0])
        if (last !== 0) rows[last + NEXT] = place
        else slots.set(index, key, place)
      }
    },
    /**
     * Calls back for stored blocks that equal a block and may be part of a text two characters longer, in insertion
     * order. Returns true if the key also has a different block.
     */
    visit({ key, hash, around }: Block, callback: (block: StoredBlock) => void): boolean {
      let hasOther = false
      const head = slots.placeAt(slots.indexOf(key))
      for (let place = Math.max(0, head); place !== 0; place = column(place, NEXT)) {
        if (column(place, HASH) !== hash) hasOther = true
        else if (isLonger(around, column(place, AROUND)))
          callback({ value: column(place, VALUE), from: column(place, FROM) })
      }
      return hasOther
    },
  }
}

/** True if two adjacent characters around the blocks may be equal. */
function isLonger(one: number, other: number): boolean {
  const difference = one ^ other
  return difference >>> 16 === 0 || (difference & 0x00ffff00) === 0 || (difference & 0xffff) === 0
}
