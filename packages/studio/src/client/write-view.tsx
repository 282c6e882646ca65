/** Write: the files of the folder, an editor that understands them, and the document as a picture. */
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

/** What a new file starts with; the cursor goes after its first name. */
function outlineOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (/\.agf\./.test(file)) return agentOutline(file.split('.')[0] ?? '')
  if (/\.oatf\./.test(file)) return 'oatf: "0.1"\nattack:\n  name: \n  execution:\n    mode: \n'
  return file === 'joust.yaml' ? 'attacks: [attacks]\ntargets:\n  naive:\n    model: sim/credulous\n' : `# ${file}\n`
}

/** An agent that can be run as it is, with a simulated model that obeys everybody. */
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
  // The worker starts while the file is read.
  const language = state.language()
  const show = (wanted: string, at = 0) => go(linkTo('write', wanted.split('/'), at === 0 ? '' : `at=${at}`))
  useWork(
    async (left) => {
      file.value = undefined
      const opened = path === '' ? undefined : await draftOf(state.drafts, path)
      if (!left.aborted) file.value = opened
    },
    [path],
  )
  useEffect(() => void state.refresh(), [])
  const stored = state.files.value ?? []
  // A new file is on no disk until it is saved, so the list has to show it.
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

/** How many files are listed before the list is narrowed. */
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
  // On a phone the list shows a few files at a time.
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [props.current])
  const wanted = props.files.filter(finds)
  // Files that are in no folder come first, so that they do not seem to be in the last one.
  const found = [...wanted.filter((file) => !file.includes('/')), ...wanted.filter((file) => file.includes('/'))]
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return
    props.onCreate(/\.(?:ya?ml|json)$/i.test(name.value) ? name.value.trim() : `${name.value.trim()}.oatf.yaml`)
    name.value = ''
  }
  return (
    <nav class="files" aria-label="Files">
      {box}
      {found.length === 0 && <p class="muted">{props.files.length === 0 ? 'No documents yet.' : 'No such file.'}</p>}
      <ArrowBox class="file-list" label="Files" row="li" cell="a">
        <ul>
          {found.slice(0, LISTED).map((file, place, all) => (
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
                {props.unsaved.includes(file) && <span class="unsaved">not saved</span>}
              </a>
            </li>
          ))}
          {found.length > LISTED && (
            <li class="muted">… and {numberText(found.length - LISTED)} more: narrow the list to see them</li>
          )}
        </ul>
      </ArrowBox>
      <form onSubmit={submit}>
        <input
          placeholder="attacks/new"
          aria-label="The name of a new file"
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

/** Where to begin. */
function NothingOpen({ files }: { readonly files: readonly string[] }): JSX.Element {
  return (
    <section class="empty">
      <h1>{files.length === 0 ? 'Nothing written here yet' : 'Open a file'}</h1>
      {files.length === 0 ? (
        <p>
          Name a new file in the list: <code>attacks/mine.oatf.yaml</code> begins with the outline of an attack,{' '}
          <code>agents/mine.agf.yaml</code> with that of an agent. It is written to the disk only when you save it. Or
          let <a href={linkTo('run')}>Run</a> set the folder up, with a first attack that works.
        </p>
      ) : (
        <p>
          Attacks (<code>*.oatf.yaml</code>) are shown with a picture of their actors and phases, agents (
          <code>*.agf.yaml</code>) as a graph. What is wrong is underlined as you type, Ctrl+Space completes, and
          nothing is written until you save.
        </p>
      )}
    </section>
  )
}

/** The file as it is being written, or as it is on the disk. */
async function draftOf(drafts: StudioState['drafts'], path: string): Promise<OpenFile> {
  const known = drafts.value.get(path)
  if (known?.isChanged() === true) return known
  const opened = await openFile(path)
  keepDraft(drafts, opened)
  return opened
}

/** As a string, so that it changes only when the list does and not with every key. */
function unsavedIn(drafts: ReadonlyMap<string, OpenFile>): string {
  return JSON.stringify([...drafts.values()].filter((file) => file.isChanged()).map(({ path }) => path))
}
