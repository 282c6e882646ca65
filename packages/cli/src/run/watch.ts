/** `--watch`: reports changed files together, after a short pause without changes. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { commandLimits } from '../terminal/limits.ts'

interface FileWatch {
  /** Replaces the watched files. A missing file is reported when it appears. */
  follow(paths: readonly string[]): void
  /** Yields the files that have changed since the last time, until the signal is aborted. */
  readonly changes: AsyncGenerator<string[], void, void>
}

export function watchFiles(signal: AbortSignal): FileWatch {
  const changed = new Set<string>()
  const debouncer = createDebouncer(signal)
  const watchers = new Map<string, FSWatcher>()
  let places: readonly Place[] = []
  const onChange = (folder: string, name: string | null) => {
    const matches = places.filter((place) => place.folder === folder && (name === null || place.name === name))
    for (const { path } of matches) changed.add(path)
    if (matches.length > 0) debouncer.schedule()
  }
  const closeAllBut = (kept: ReadonlySet<string>) => {
    for (const [folder, watcher] of watchers) {
      if (kept.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
  }
  const follow = (paths: readonly string[]) => {
    places = [...new Set(paths)].map(placeOf)
    const folders = new Set(places.map(({ folder }) => folder))
    closeAllBut(folders)
    for (const folder of folders) if (!watchers.has(folder)) watchers.set(folder, watchFolder(folder, onChange))
  }
  const close = () => {
    debouncer.close()
    closeAllBut(new Set())
  }
  return { follow, changes: tell(changed, debouncer, signal, close) }
}

interface Place {
  readonly path: string
  /** The folder of the file, or the nearest one that exists. */
  readonly folder: string
  /** Name to watch for in `folder`: that of the file, or of a missing parent folder. */
  readonly name: string
}

/** Finds the folder to watch, because a watch on the file would end when an editor replaces the file by renaming. */
function placeOf(path: string): Place {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return { path, folder, name: relative(folder, path).split(sep)[0] ?? '' }
}

async function* tell(
  changed: Set<string>,
  debouncer: Debouncer,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<string[], void, void> {
  try {
    for (;;) {
      await debouncer.fired()
      if (signal.aborted) return
      const files = [...changed]
      changed.clear()
      if (files.length > 0) yield files
    }
  } finally {
    close()
  }
}

/** A timer that fires after a pause without changes, or on abort. If it has fired, `fired` resolves immediately. */
interface Debouncer {
  schedule(): void
  fired(): Promise<void>
  close(): void
}

function createDebouncer(signal: AbortSignal): Debouncer {
  let timer: NodeJS.Timeout | undefined
  let isFired = signal.aborted
  let wake = () => {}
  const fire = () => {
    isFired = true
    wake()
  }
  signal.addEventListener('abort', fire)
  return {
    schedule() {
      clearTimeout(timer)
      timer = setTimeout(fire, commandLimits.quietMs)
    },
    async fired() {
      if (!isFired) await new Promise<void>((resolve) => (wake = resolve))
      isFired = false
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', fire)
    },
  }
}

function watchFolder(folder: string, onChange: (folder: string, name: string | null) => void): FSWatcher {
  const watcher = watch(folder, (_, name) => onChange(folder, name))
  // A watch ends when its folder is deleted.
  watcher.on('error', () => watcher.close())
  return watcher
}
