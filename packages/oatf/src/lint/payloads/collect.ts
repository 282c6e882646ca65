/** Everything that the actors of a document send, read off their states and entry actions. */
import { isList, isRecord, own } from '@joust/source'
import { roleOf } from '../../bindings/table.ts'
import { interpolateValue } from '../../primitives/interpolate-value.ts'
import { findTemplates } from '../../rules/templates.ts'
import type { ActorSite, PhaseSite } from '../../rules/walk.ts'
import { reachablePhases } from '../reachable.ts'
import { a2aClientPayloads, a2aServerPayloads } from './a2a.ts'
import { agUiClientPayloads } from './ag-ui.ts'
import { mcpClientPayloads, mcpServerPayloads } from './mcp.ts'
import { type Collector, type Draft, type Payload, requestDrafts } from './payload.ts'

const collectors: { readonly [mode: string]: Collector } = {
  mcp_server: mcpServerPayloads,
  mcp_client: mcpClientPayloads,
  a2a_server: a2aServerPayloads,
  a2a_client: a2aClientPayloads,
  ag_ui_client: agUiClientPayloads,
}

/** The payloads of all phases that can be reached. */
export function collectPayloads(actors: readonly ActorSite[]): readonly Payload[] {
  return actors.flatMap((actor) =>
    reachablePhases(actor).flatMap((phase) =>
      [...stateDrafts(phase), ...entryDrafts(phase)].map(
        (draft): Payload => ({ askedFor: false, echoed: false, ...draft, content: blank(draft.content), actor }),
      ),
    ),
  )
}

function stateDrafts({ mode, value, path }: PhaseSite): readonly Draft[] {
  const collect = mode !== undefined && Object.hasOwn(collectors, mode) ? collectors[mode] : undefined
  const state = own(value, 'state')
  return collect !== undefined && isRecord(state) ? collect(state, [...path, 'state']) : []
}

/** `on_enter: send`. */
function entryDrafts({ value, path, mode }: PhaseSite): readonly Draft[] {
  const actions = own(value, 'on_enter')
  if (!isList(actions)) return []
  return actions.flatMap((action, index) => {
    const send = isRecord(action) ? own(action, 'send') : undefined
    const drafts = isRecord(send) ? requestDrafts(send, [...path, 'on_enter', index, 'send']) : []
    return drafts.filter(({ echoed }) => echoed !== true || roleOf(mode ?? '') === 'client')
  })
}

/** What a template brings is not known before a run. */
function blank(content: Draft['content']): Draft['content'] {
  return findTemplates(content, []).length === 0 ? content : interpolateValue(content, {}).value
}
