/** Arrow keys in a table of links: one of them is reached with Tab, the others from there. */

/** Listens to the keys of a table. */
export function gridKeys(event: KeyboardEvent & { readonly currentTarget: HTMLTableElement }): void {
  const { target, currentTarget: table } = event
  if (!(target instanceof HTMLAnchorElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.querySelectorAll('a')])
  const row = rows.findIndex((links) => links.includes(target))
  const next = stepInGrid(rows, row, rows[row]?.indexOf(target) ?? 0, event.key)
  if (next === undefined) return
  event.preventDefault()
  for (const link of table.querySelectorAll('tbody a')) link.setAttribute('tabindex', link === next ? '0' : '-1')
  next.focus()
}

/** Where a key leads; undefined when it leads nowhere. */
export function stepInGrid<T>(
  rows: readonly (readonly T[])[],
  row: number,
  column: number,
  key: string,
): T | undefined {
  const at = (number: number) => {
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
