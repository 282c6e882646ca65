/** The Write view: the files of the folder, the editor, and the diagram of the document. */
import { numberText, plainText, shownName } from '@joust/report/components'
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useWork } from './ask.ts'
import { ArrowBox, useSearch } from './boxes.tsx'
import { FileEditor } from './file-editor.tsx'
import { keepDraft, type OpenFile, openFile } from './open-file.ts'
import { linkTo } from './route.ts'
import type { StudioState, ViewProps } from './studio-state.ts'

/** Returns the initial text of a new file. The cursor is placed after the first name in the text. */
function outlineOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (/\.agf\./.test(file)) return agentOutline(file.split('.')[0] ?? '')
  if (/\.oatf\./.test(file)) return 'oatf: "0.1"\nattack:\n  name: \n  execution:\n    mode: \n'
  return file === 'joust.yaml' ? 'attacks: [attacks]\ntargets:\n  naive:\n    model: sim/credulous\n' : `# ${file}\n`
}

function agentOutline(name: string): string {
  return `schema_version: 1.0.0
metadata:
  id: ${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'agent'}
  name: ${JSON.stringify(name)}
  version: 1.0.0
  description: Answers questions.
interface:
  input: { type: string }
  output: { type: string }
execution_policy:
  id: agf.react
  config:
    model: sim/credulous
    instructions: You are a helpful assistant.
`
}

export function WriteView({ state, route, go }: ViewProps): JSX.Element {
  const path = route.words.join('/')
  const offset = Number(new URLSearchParams(route.query).get('at') ?? 0)
  const file = useSignal<OpenFile | undefined>(undefined)
  // Starts the worker while the file is loading.
  const language = state.language()
  const show = (name: string, at = 0) => go(linkTo('write', name.split('/'), at === 0 ? '' : `at=${at}`))
  useWork(
    async (signal) => {
      file.value = undefined
      const draft = path === '' ? undefined : await draftOf(state.drafts, path)
      if (!signal.aborted) file.value = draft
    },
    [path],
  )
  useEffect(() => void state.refresh(), [])
  const stored = state.files.value ?? []
  // New files are not on disk before they are saved.
  const unsaved: readonly string[] = JSON.parse(useComputed(() => unsavedIn(state.drafts.value)).value)
  const files = [...stored, ...unsaved.filter((draft) => !stored.includes(draft))].sort()
  const saved = async () => {
    state.setUp.value = undefined
    await state.refresh()
  }
  const discard = () => {
    state.drafts.value = new Map([...state.drafts.value].filter(([name]) => name !== path))
    show('')
  }
  const create = async (name: string) => {
    if (files.includes(name)) return show(name)
    const outline = outlineOf(name)
    keepDraft(state.drafts, await openFile(name, outline))
    show(name, outline.indexOf('\n', outline.indexOf('name: ')))
  }
  return (
    <div class={path === '' ? 'write' : 'write write-open'}>
      <FileList files={files} unsaved={unsaved} current={path} onCreate={create} />
      {path === '' ? (
        <NothingOpen files={files} />
      ) : file.value === undefined ? (
        <p class="empty muted">Opening …</p>
      ) : (
        <FileEditor
          key={path}
          file={file.value}
          ask={language}
          at={offset}
          onFile={show}
          onSaved={saved}
          onDiscard={discard}
        />
      )}
    </div>
  )
}

/** Maximum number of listed files. */
const LISTED = 1000

function FileList(props: {
  readonly files: readonly string[]
  readonly unsaved: readonly string[]
  readonly current: string
  readonly onCreate: (name: string) => void
}): JSX.Element {
  const { box, finds } = useSearch('Find a file')
  const name = useSignal('')
  const current = useRef<HTMLAnchorElement>(null)
  // On a phone, the list shows only a few files at a time.
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [props.current])
  const matches = props.files.filter(finds)
  // Files without a folder come first, so that they do not appear to be in the last folder.
  const sorted = [...matches.filter((file) => !file.includes('/')), ...matches.filter((file) => file.includes('/'))]
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return
    props.onCreate(/\.(?:ya?ml|json)$/i.test(name.value) ? name.value.trim() : `${name.value.trim()}.oatf.yaml`)
    name.value = ''
  }
  return (
    <nav class="files" aria-label="Files">
      {box}
      {sorted.length === 0 && (
        <p class="muted">{props.files.length === 0 ? 'No documents yet.' : 'No matching files.'}</p>
      )}
      <ArrowBox class="file-list" label="Files" row="li" cell="a">
        <ul>
          {sorted.slice(0, LISTED).map((file, place, all) => (
            <li key={file}>
              {folderOf(file) !== '' && folderOf(file) !== folderOf(all[place - 1] ?? '') && (
                <div class="in-folder">{shownName(folderOf(file))}</div>
              )}
              <a
                tabIndex={-1}
                href={linkTo('write', file.split('/'))}
                ref={file === props.current ? current : null}
                aria-current={file === props.current ? 'page' : undefined}
                title={plainText(file)}
              >
                {shownName(file.slice(folderOf(file).length))}
                {props.unsaved.includes(file) && (
                  <span class="unsaved" title="not saved">
                    ●<span class="visually-hidden"> not saved</span>
                  </span>
                )}
              </a>
            </li>
          ))}
          {sorted.length > LISTED && (
            <li class="muted">… and {numberText(sorted.length - LISTED)} more: use the search to see them</li>
          )}
        </ul>
      </ArrowBox>
      <form onSubmit={submit}>
        <input
          placeholder="attacks/new"
          aria-label="Name of the new file"
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
        <button type="submit">New</button>
      </form>
    </nav>
  )
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}

function NothingOpen({ files }: { readonly files: readonly string[] }): JSX.Element {
  return (
    <section class="empty">
      <h1>{files.length === 0 ? 'No documents yet' : 'Open a file'}</h1>
      {files.length === 0 ? (
        <p>
          Enter the name of a new file in the list: <code>attacks/mine.oatf.yaml</code> starts with an attack outline,{' '}
          <code>agents/mine.agf.yaml</code> with an agent outline. Files are written only when you save them. Or let{' '}
          <a href={linkTo('run')}>Run</a> set up the folder with a working first attack.
        </p>
      ) : (
        <p>
          Attacks (<code>*.oatf.yaml</code>) are shown with a diagram of their actors and phases, agents (
          <code>*.agf.yaml</code>) as a graph. Errors are underlined as you type, Ctrl+Space completes, and files are
          written only when you save them.
        </p>
      )}
    </section>
  )
}

async function draftOf(drafts: StudioState['drafts'], path: string): Promise<OpenFile> {
  const draft = drafts.value.get(path)
  if (draft?.isChanged() === true) return draft
  const file = await openFile(path)
  keepDraft(drafts, file)
  return file
}

/** Returns the paths of unsaved files as JSON, so that the signal does not change with every key press. */
function unsavedIn(drafts: ReadonlyMap<string, OpenFile>): string {
  return JSON.stringify([...drafts.values()].filter((file) => file.isChanged()).map(({ path }) => path))
}
