/** A hash table of text blocks, in typed arrays because hundreds of thousands of blocks are common. */

/** A block: the key that it shares with its reversal, and the hash that distinguishes the two. */
interface Block {
  readonly key: number
  readonly hash: number
}

/** Maximum number of stored places per block. */
const MOST_PLACES = 6
/** Maximum number of owners of a block; a block with more owners is not evidence. */
const MOST_OWNERS = 4
/** Maximum length of a chain; there are at least as many chains as rows. */
const LONGEST_CHAIN = 64
/** The owner stored for a block that has too many owners. */
const EVERYWHERE = -1

/** The columns of a row: the key and hash of a block, its place and owner, and the next row in the chain. */
const [KEY, HASH, PLACE, OWNER, NEXT, WIDTH] = [0, 1, 2, 3, 4, 5]

/** Creates a table of chained rows. A row is identified by its offset; 0 ends a chain. */
function createChains() {
  let heads = new Int32Array(2 ** 10)
  let shift = 22
  let rows = new Int32Array(2 ** 10 * WIDTH)
  let end = WIDTH
  const grow = () => {
    const before = rows
    rows = new Int32Array(2 * before.length)
    rows.set(before)
    heads = new Int32Array(2 * heads.length)
    shift--
    // From the last row to the first, so that the first row begins its chain.
    for (let row = end - WIDTH; row > 0; row -= WIDTH) {
      const index = (rows[row + KEY] ?? 0) >>> shift
      rows[row + NEXT] = heads[index] ?? 0
      heads[index] = row
    }
  }
  return {
    column: (row: number, offset: number) => rows[row + offset] ?? 0,
    headOf: (key: number) => heads[key >>> shift] ?? 0,
    setOwner(row: number, owner: number): void {
      rows[row + OWNER] = owner
    },
    /** Adds a row after row `last`, or at the head of its chain if `last` is 0. */
    add({ key, hash }: Block, place: number, owner: number, last = 0): void {
      if (last !== 0) rows[last + NEXT] = end
      else {
        rows[end + NEXT] = heads[key >>> shift] ?? 0
        heads[key >>> shift] = end
      }
      rows[end + KEY] = key
      rows[end + HASH] = hash
      rows[end + PLACE] = place
      rows[end + OWNER] = owner
      end += WIDTH
      if (end + WIDTH > rows.length) grow()
    },
  }
}

/** Creates an empty table. `onLimit` is called for blocks with too many similar keys, which only crafted texts have. */
export function createBlockTable(onLimit: () => void) {
  const chains = createChains()
  const { column, headOf } = chains
  return {
    /** Adds a block that is not in the table yet. */
    addNew: (block: Block, place: number, owner: number) => chains.add(block, place, owner),
    /** Adds a place for a block that may already be in the table. */
    add(block: Block, place: number, owner: number): void {
      let [first, last, length, places] = [0, 0, 0, 0]
      let owners: number[] | undefined
      for (let row = headOf(block.key); row !== 0 && length <= LONGEST_CHAIN; row = column(row, NEXT)) {
        last = row
        length++
        if (column(row, HASH) !== block.hash) continue
        const other = column(row, OWNER)
        if (other === EVERYWHERE) return
        if (places++ === 0) first = row
        if (owners?.includes(other) !== true) owners = [...(owners ?? []), other]
      }
      if (owners !== undefined && owners.length >= MOST_OWNERS && !owners.includes(owner))
        chains.setOwner(first, EVERYWHERE)
      else if (places < MOST_PLACES) {
        if (length >= LONGEST_CHAIN) onLimit()
        else chains.add(block, place, owner, last)
      }
    },
    /** Calls back with each place of a block, in order. Returns true if the reversed block may be in the table. */
    visit(block: Block, callback: (place: number) => void): boolean {
      let hasReversal = false
      let isEverywhere = false
      let length = 0
      for (let row = headOf(block.key); row !== 0 && !isEverywhere; row = column(row, NEXT)) {
        if (length++ > LONGEST_CHAIN) {
          onLimit()
          break
        }
        if (column(row, HASH) !== block.hash) hasReversal ||= column(row, KEY) === block.key
        else if (column(row, OWNER) === EVERYWHERE) isEverywhere = true
        else callback(column(row, PLACE))
      }
      return hasReversal
    },
  }
}
