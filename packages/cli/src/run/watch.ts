/** `--watch`: reports changed files together, after a short pause without changes. */
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { commandLimits } from '../terminal/limits.ts'

/** Watches files; yields those that changed since the last time, until the signal is aborted. */
export function changesOf(paths: readonly string[], signal: AbortSignal): AsyncGenerator<string[], void, void> {
  const changed = new Set<string>()
  const bell = createBell(signal)
  const watchers = [...new Set(paths.map(dirname))].map((folder) =>
    // Watches the folder: a watch on the file would end when an editor replaces it by renaming.
    watchFolder(folder, (name) => {
      const matches = paths.filter((path) => dirname(path) === folder && (name === null || basename(path) === name))
      for (const path of matches) changed.add(path)
      if (matches.length > 0) bell.ringSoon()
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

/** A timer that fires after a pause, or at once on the signal. If it fires before `wait`, that is not lost. */
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
