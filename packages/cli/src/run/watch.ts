/** `--watch`: reports changed files together, after a short pause without changes. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { commandLimits } from '../terminal/limits.ts'

/** Watched files. */
interface FileWatch {
  /** Replaces the watched files; a missing file is reported when it appears. */
  follow(paths: readonly string[]): void
  /** Yields the files that changed since the last time, until the signal is aborted. */
  readonly changes: AsyncGenerator<string[], void, void>
}

/** Watches files until the signal is aborted. */
export function watchFiles(signal: AbortSignal): FileWatch {
  const changed = new Set<string>()
  const bell = createBell(signal)
  const watchers = new Map<string, FSWatcher>()
  let places: readonly Place[] = []
  const onChange = (folder: string, name: string | null) => {
    const matches = places.filter((place) => place.folder === folder && (name === null || place.name === name))
    for (const { path } of matches) changed.add(path)
    if (matches.length > 0) bell.ringSoon()
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
    for (const folder of folders)
      if (!watchers.has(folder))
        watchers.set(
          folder,
          watchFolder(folder, (name) => onChange(folder, name)),
        )
  }
  const close = () => {
    bell.close()
    closeAllBut(new Set())
  }
  return { follow, changes: tell(changed, bell, signal, close) }
}

/** The watched location of a file. */
interface Place {
  readonly path: string
  /** The folder of the file, or the nearest one that exists. */
  readonly folder: string
  /** The name in that folder: of the file, or of a folder above it. */
  readonly name: string
}

/** The folder to watch for a file: a watch on the file itself would end when an editor replaces it by renaming. */
function placeOf(path: string): Place {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return { path, folder, name: relative(folder, path).split(sep)[0] ?? '' }
}

async function* tell(
  changed: Set<string>,
  bell: Bell,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<string[], void, void> {
  try {
    for (;;) {
      await bell.rung()
      if (signal.aborted) return
      const files = [...changed]
      changed.clear()
      if (files.length > 0) yield files
    }
  } finally {
    close()
  }
}

/** A timer that fires after a pause, or immediately on the signal. Firing before `wait` is remembered. */
interface Bell {
  ringSoon(): void
  rung(): Promise<void>
  close(): void
}

function createBell(signal: AbortSignal): Bell {
  let timer: NodeJS.Timeout | undefined
  let isRung = signal.aborted
  let wake = () => {}
  const ring = () => {
    isRung = true
    wake()
  }
  signal.addEventListener('abort', ring)
  return {
    ringSoon() {
      clearTimeout(timer)
      timer = setTimeout(ring, commandLimits.quietMs)
    },
    async rung() {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', ring)
    },
  }
}

function watchFolder(folder: string, onChange: (name: string | null) => void): FSWatcher {
  const watcher = watch(folder, (_, name) => onChange(name))
  // A deleted folder ends its watch.
  watcher.on('error', () => watcher.close())
  return watcher
}
