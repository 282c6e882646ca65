/** Editor navigation: definitions, references, renaming, and links to other files. */
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, showDialog } from '@codemirror/view'
import type { FileSpan, Link, TextEdit } from '@joust/language'
import type { AskLanguage } from './language-client.ts'

/** Scrolls to an offset and focuses the editor. */
export function goTo(view: EditorView, offset: number): void {
  scrollToOffset(view, offset)
  view.focus()
}

/** Scrolls to an offset without moving the focus. */
export function scrollToOffset(view: EditorView, offset: number): void {
  const anchor = Math.min(offset, view.state.doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 40 }) })
}

export function applyEdits(view: EditorView, edits: readonly TextEdit[]): void {
  view.dispatch({ changes: edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text })) })
}

export function replaceText(view: EditorView, text: string): void {
  const { doc } = view.state
  if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } })
}

export interface MoveEvents {
  /** Called to open another file at an offset. */
  readonly onLeave?: (name: string, offset: number) => void
  /** Called with the references to the name at the cursor. */
  readonly onPlaces?: (places: readonly FileSpan[]) => void
}

/** Handles F12 and Ctrl+click (definition), Shift+F12 (references) and F2 (rename). */
export function navigation(name: string, ask: AskLanguage, events: MoveEvents): Extension[] {
  const fileOf = (view: EditorView) => ({ name, text: view.state.doc.toString() })
  const headOf = (view: EditorView) => view.state.selection.main.head
  const define = async (view: EditorView, offset: number) => {
    const [first] = (await ask('definition', fileOf(view), offset)) ?? []
    const links = (await ask('links', fileOf(view))) ?? []
    const link = links.find(({ range }) => range.start <= offset && offset <= range.end)
    if (first?.name === name) goTo(view, first.start)
    else if (first !== undefined) events.onLeave?.(first.name, first.start)
    else if (link !== undefined) events.onLeave?.(link.target, 0)
  }
  const list = async (view: EditorView) => {
    const places = (await ask('references', fileOf(view), headOf(view))) ?? []
    if (places.length === 0) say(view, 'No references at the cursor.')
    events.onPlaces?.(places)
  }
  const rename = async (view: EditorView) => {
    const offset = headOf(view)
    const span = await ask('renamable', fileOf(view), offset)
    if (span === undefined) return say(view, 'No name to rename at the cursor.')
    const value = view.state.sliceDoc(span.start, span.end)
    const config = { label: 'New name', input: { name: 'name', value }, submitLabel: 'Rename', focus: true }
    const form = await showDialog(view, config).result
    view.focus()
    if (form === null) return
    const renamed = await ask('rename', fileOf(view), offset, String(new FormData(form).get('name')))
    if (renamed?.ok === true) applyEdits(view, renamed.value)
    else say(view, renamed?.error ?? 'Cannot rename.')
  }
  const key = (work: (view: EditorView) => Promise<void>) => (view: EditorView) => {
    void work(view)
    return true
  }
  return [
    marks,
    keymap.of([
      { key: 'F12', run: key((view) => define(view, headOf(view))) },
      { key: 'Shift-F12', run: key(list) },
      { key: 'F2', run: key(rename) },
    ]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const offset = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null
        if (offset === null) return false
        event.preventDefault()
        void define(view, offset)
        return true
      },
    }),
  ]
}

function say(view: EditorView, label: string): void {
  void showDialog(view, { label, submitLabel: 'Close', focus: true }).result.then(() => view.focus())
}

const setMarks = StateEffect.define<readonly Link[]>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects }) {
    const effect = effects.find((one) => one.is(setMarks))
    return effect === undefined ? decorations.map(changes) : decorationsOf(effect.value)
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function showLinks(view: EditorView, links: readonly Link[]): void {
  view.dispatch({ effects: setMarks.of(links.filter(({ range }) => range.end <= view.state.doc.length)) })
}

function decorationsOf(links: readonly Link[]): DecorationSet {
  const ranges = links.map(({ range, target }) => {
    const title = `Ctrl+click or F12 opens ${target}`
    return Decoration.mark({ class: 'cm-file-link', attributes: { title } }).range(range.start, range.end)
  })
  return Decoration.set(ranges, true)
}
