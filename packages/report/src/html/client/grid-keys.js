/** Arrow keys in a table of links: one of them is reached with Tab, the others from there. */

/**
 * @param {HTMLTableElement} table
 */
export function moveInGrid(table) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.querySelectorAll('a')])
  const all = rows.flat()
  for (const [place, link] of all.entries()) link.tabIndex = place === 0 ? 0 : -1
  const reach = (/** @type {HTMLElement} */ link) => {
    for (const other of all) if (other.tabIndex === 0) other.tabIndex = -1
    link.tabIndex = 0
  }
  table.addEventListener('focusin', (event) => {
    if (event.target instanceof HTMLAnchorElement) reach(event.target)
  })
  table.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLAnchorElement) || event.altKey || event.ctrlKey || event.metaKey) return
    const link = event.target
    const row = rows.findIndex((links) => links.includes(link))
    const column = rows[row]?.indexOf(link) ?? 0
    const next = stepInGrid(rows, row, column, event.key)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  })
}

/**
 * Where a key leads; undefined when it leads nowhere.
 * @template T
 * @param {readonly (readonly T[])[]} rows
 * @param {number} row
 * @param {number} column
 * @param {string} key
 * @returns {T | undefined}
 */
export function stepInGrid(rows, row, column, key) {
  const at = (/** @type {number} */ number) => {
    const found = rows[Math.max(0, Math.min(rows.length - 1, number))]
    return found?.[Math.min(column, found.length - 1)]
  }
  if (key === 'ArrowDown') return at(row + 1)
  if (key === 'ArrowUp') return at(row - 1)
  if (key === 'PageDown') return at(row + 10)
  if (key === 'PageUp') return at(row - 10)
  if (key === 'Home') return at(0)
  if (key === 'End') return at(rows.length - 1)
  if (key === 'ArrowRight') return rows[row]?.[column + 1]
  if (key === 'ArrowLeft') return rows[row]?.[column - 1]
  return undefined
}
