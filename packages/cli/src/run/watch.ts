/** `--watch`: which files changed, reported together once nothing has changed for a moment. */
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { commandLimits } from '../terminal/limits.ts'

/** Watches from now on; yields the files that have changed since the last time, until the signal fires. */
export function changesOf(paths: readonly string[], signal: AbortSignal): AsyncGenerator<string[], void, void> {
  const changed = new Set<string>()
  const bell = createBell(signal)
  const watchers = [...new Set(paths.map(dirname))].map((folder) =>
    // Watches the folder, not the file: a file that is replaced by renaming would be lost.
    watchFolder(folder, (name) => {
      const found = paths.filter((path) => dirname(path) === folder && (name === null || basename(path) === name))
      for (const path of found) changed.add(path)
      if (found.length > 0) bell.ringSoon()
    }),
  )
  const close = () => {
    bell.close()
    for (const watcher of watchers) watcher.close()
  }
  return tell(changed, bell, signal, close)
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

/** Rings when nothing has happened for a moment, or at once on the signal; it may ring before anybody listens. */
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
  // A folder that is gone does not change any more.
  watcher.on('error', () => watcher.close())
  return watcher
}
