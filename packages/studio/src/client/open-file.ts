/** Open files, with their stored version, draft and conflicts. */
import { batch, type Signal, signal } from '@preact/signals'
import type { FileText } from '../model/api.ts'
import { ask, change } from './ask.ts'

export interface OpenFile {
  readonly path: string
  /** The saved version. Undefined for a new file. */
  readonly stored: Signal<FileText | undefined>
  readonly text: Signal<string>
  /** The error of the last operation. Empty on success. */
  readonly fault: Signal<string>
  /** A newer version on disk, which conflicts with the draft. */
  readonly theirs: Signal<FileText | undefined>
  isChanged(): boolean
  save(): Promise<void>
  /** Restores the text before the last save and returns it. Undefined if the undo deleted the file. */
  undo(): Promise<string | undefined>
  /** Resolves a conflict in favour of the text on disk or of the draft. */
  settle(whose: 'theirs' | 'ours'): void
}

export async function openFile(path: string, fresh?: string): Promise<OpenFile> {
  const read = fresh === undefined ? await ask<FileText>('/api/file', { path }) : undefined
  const stored = signal(read?.ok === true ? read.value : undefined)
  const text = signal(stored.value?.text ?? fresh ?? '')
  const fault = signal(read?.ok === false ? read.error.message : '')
  const theirs = signal<FileText | undefined>(undefined)
  return {
    path,
    stored,
    text,
    fault,
    theirs,
    isChanged: () => text.value !== (stored.value?.text ?? ''),
    async save() {
      const saved = await change<FileText>('/api/save', { path, text: text.value, version: stored.value?.version })
      fault.value = saved.ok ? '' : saved.error.message
      if (saved.ok) stored.value = saved.value
      else if (saved.error.status === 409) {
        const now = await ask<FileText>('/api/file', { path })
        theirs.value = now.ok ? now.value : undefined
      }
    },
    async undo() {
      const undone = await change<FileText | null>('/api/undo', { path })
      fault.value = undone.ok ? '' : undone.error.message
      if (!undone.ok) return undefined
      stored.value = undone.value ?? undefined
      return undone.value?.text
    },
    settle(whose) {
      batch(() => {
        if (theirs.value === undefined) return
        if (whose === 'theirs') text.value = theirs.value.text
        stored.value = theirs.value
        theirs.value = undefined
        fault.value = ''
      })
    },
  }
}

/** Stores a draft, which is restored when the file is opened again. */
export function keepDraft(drafts: Signal<ReadonlyMap<string, OpenFile>>, file: OpenFile): void {
  drafts.value = new Map([...drafts.value, [file.path, file]])
}
