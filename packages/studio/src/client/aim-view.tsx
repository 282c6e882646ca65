/** The Aim view: the tools of the user's servers, the flows between them, and attacks that target them. */
import { countText, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AimDocumentsRequest, AimedFiles, AimInput, ToolMap } from '../model/api.ts'
import { change, useAnswer } from './ask.ts'
import { AnnouncedText, Answered, Choice, Fault } from './boxes.tsx'
import { FlowList } from './flow-list.tsx'
import { FlowMap } from './flow-map.tsx'
import { linkTo } from './route.ts'
import type { StudioState, ViewProps } from './studio-state.ts'
import { ToolTable } from './tool-table.tsx'

export function AimView({ state }: ViewProps): JSX.Element {
  const inputs = useAnswer<readonly AimInput[]>('/api/aim')
  return (
    <Answered answer={inputs}>
      {(list) => {
        const [first] = list
        return first === undefined ? <NoInputs /> : <Aim inputs={list} first={first} state={state} />
      }}
    </Answered>
  )
}

function NoInputs(): JSX.Element {
  return (
    <section class="empty">
      <h1>No servers to aim at</h1>
      <p>
        Attacks can target the actual tools of your agent. Add the configuration of its MCP servers (
        <code>.mcp.json</code>) or a list of tools (<code>tools.json</code>) to this folder, or record the agent with{' '}
        <code>joust record</code>. Targets in joust.yaml that are agent files or MCP endpoints are also listed here.
      </p>
    </section>
  )
}

const kinds: Readonly<Record<AimInput['kind'], string>> = {
  config: 'configuration',
  session: 'recorded session',
  tools: 'list of tools',
  target: 'target',
}

interface AimProps {
  readonly inputs: readonly AimInput[]
  readonly first: AimInput
  readonly state: StudioState
}

function Aim(props: AimProps): JSX.Element {
  const { inputs, state } = props
  const { input, busy, fault, read, write, choose } = useAim(props)
  const { map, files } = state.aiming
  return (
    <div class="aim">
      <h1>Aim at the tools of your servers</h1>
      <div class="aim-input">
        <Choice
          label="Tools of"
          value={String(inputs.findIndex((one) => isSame(one, input)))}
          options={inputs.map(({ kind, name }, place) => [String(place), `${name} (${kinds[kind]})`])}
          onChoose={choose}
        />
        <button type="button" class="primary" aria-disabled={busy !== ''} onClick={() => read()}>
          {input.starts.length === 0
            ? 'Show the flows'
            : `Start ${countText(input.starts.length, 'server')} and list the tools`}
        </button>
        <span role="status">{busy}</span>
      </div>
      {input.starts.length > 0 && <Starts starts={input.starts} />}
      <Fault text={fault} />
      {map.value === undefined ? (
        <p class="muted">
          The tools are drawn as a map from untrusted text through private data to actions. Attacks can be generated for
          each flow, and are proven before they are written to <code>attacks/aimed</code>.
        </p>
      ) : (
        <>
          {map.value.notes !== '' && <AnnouncedText label="Notes" text={map.value.notes} />}
          {files.value !== undefined && <Written written={files.value} />}
          <Mapped map={map.value} {...{ busy, read, write }} />
        </>
      )}
    </div>
  )
}

function isSame(one: AimInput, other: AimInput): boolean {
  return one.kind === other.kind && one.name === other.name
}

/** Returns functions that send the view's requests, one at a time. */
function useAim({ inputs, first, state }: AimProps) {
  const { aiming } = state
  const busy = useSignal('')
  const fault = useSignal('')
  const input = inputs.find((one) => aiming.input.value !== undefined && isSame(one, aiming.input.value)) ?? first
  const send = async <T,>(text: string, path: string, body: object): Promise<T | undefined> => {
    if (busy.value !== '') return undefined
    busy.value = text
    const answer = await change<T>(path, body)
    busy.value = ''
    fault.value = answer.ok ? '' : answer.error.message
    return answer.ok ? answer.value : undefined
  }
  return {
    input,
    busy: busy.value,
    fault: fault.value,
    choose(place: string) {
      aiming.input.value = inputs[Number(place)]
      aiming.map.value = undefined
      aiming.files.value = undefined
    },
    async read(labels?: Readonly<Record<string, readonly string[]>>) {
      const text = labels === undefined ? 'Listing tools …' : 'Saving the labels in joust.yaml …'
      const map = await send<ToolMap>(text, '/api/aim/map', { input, ...(labels && { labels }) })
      if (map !== undefined) aiming.map.value = map
      // The editor may have joust.yaml open.
      if (labels !== undefined) await state.refresh()
    },
    async write(max: number, flows?: readonly string[]) {
      const request: AimDocumentsRequest = { input, max, ...(flows && { flows }) }
      const files = await send<AimedFiles>('Writing and proving attacks …', '/api/aim/documents', request)
      if (files === undefined) return
      aiming.files.value = files
      await state.refresh()
    },
  }
}

type Actions = Pick<ReturnType<typeof useAim>, 'busy' | 'read' | 'write'>

/** Shows the commands that listing the tools would start, so that the user can review them first. */
function Starts({ starts }: { readonly starts: readonly string[] }): JSX.Element {
  return (
    <ul class="starts" aria-label="Commands to start">
      {starts.map((line) => (
        <li key={line}>
          <code>{shown(line)}</code>
        </li>
      ))}
    </ul>
  )
}

/** Default number of documents to write, as in `joust aim`. */
const DOCUMENTS = 24

function Mapped({ map, busy, read, write }: Actions & { readonly map: ToolMap }): JSX.Element {
  const tool = useSignal<string | undefined>(undefined)
  const most = useSignal(DOCUMENTS)
  // A correction can remove the tool from all flows.
  const chosen = map.tools.some(({ name }) => name === tool.value) ? tool.value : undefined
  return (
    <>
      <div class="aim-line">
        <h2>
          {map.flows.length === 0
            ? 'No flows: no path from a source to a sink'
            : `${countText(map.total, 'flow')} between ${countText(map.tools.length, 'tool')}`}
        </h2>
        {map.flows.length > 0 && (
          <>
            <label>
              At most{' '}
              <input
                type="number"
                min={1}
                max={200}
                value={most.value}
                onInput={({ currentTarget }) =>
                  (most.value = Math.min(200, Math.max(1, Math.floor(currentTarget.valueAsNumber) || 1)))
                }
              />
            </label>
            <button type="button" class="primary" aria-disabled={busy !== ''} onClick={() => write(most.value)}>
              Write attacks
            </button>
          </>
        )}
      </div>
      {map.flows.length > 0 && (
        <>
          <FlowMap map={map} chosen={chosen} onChoose={(name) => (tool.value = name === chosen ? undefined : name)} />
          <FlowList flows={map.flows} chosen={chosen} isBusy={busy !== ''} onWrite={write} />
        </>
      )}
      <h2>Tools</h2>
      <ToolTable tools={map.tools} isBusy={busy !== ''} onLabels={(name, labels) => read({ [name]: labels })} />
    </>
  )
}

const states = { wrote: 'new', same: 'unchanged', kept: 'kept: the existing file differs' } as const

function Written({ written: { files, rejected } }: { readonly written: AimedFiles }): JSX.Element {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [files])
  return (
    <section aria-label="Written attacks" ref={section}>
      <div class="aim-line">
        <h2>
          <span role="status">{countText(files.length, 'proven attack')} in attacks/aimed</span>
        </h2>
        {files.length > 0 && (
          <a class="button" href={linkTo('run')}>
            Run
          </a>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list has to be reachable by keyboard */}
      <ul class="aimed-files" tabIndex={0} aria-label="Files">
        {files.map(({ path, state }) => (
          <li key={path}>
            <a href={linkTo('write', path.split('/'))}>{shown(path.slice(path.lastIndexOf('/') + 1))}</a>{' '}
            <span class="muted">{states[state]}</span>
          </li>
        ))}
        {rejected.map((reason) => (
          <li class="muted" key={reason}>
            not written: {shown(reason)}
          </li>
        ))}
      </ul>
    </section>
  )
}
