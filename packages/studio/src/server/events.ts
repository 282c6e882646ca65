/** One stream of events for each tab, with what a tab missed while it was away. */
import type { ServerResponse } from 'node:http'
import { writeJson } from '@joust/source'
import type { StudioEvent } from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Tells tabs what happens. */
export interface EventHub {
  tell(event: StudioEvent): void
  last(): number
  /** Sends what came after a number, and then what follows. */
  open(response: ServerResponse, after: number): void
  close(): void
}

/** Numbers continue from `first`, so that a tab of an earlier server knows that it missed something. */
export function createEventHub(
  first: number,
  bounds: { readonly replayCharacters: number; readonly replayEvents: number } = limits,
): EventHub {
  const kept: { readonly id: number; readonly text: string }[] = []
  const tabs = new Set<ServerResponse>()
  let last = first
  let length = 0
  const beat = setInterval(() => {
    for (const tab of tabs) tab.write(':\n\n')
  }, limits.beatMs)
  beat.unref()
  const send = (tab: ServerResponse, text: string) => {
    tab.write(text)
    // The tab reconnects and gets what it missed, or is told that it is too much.
    if (tab.writableLength > limits.lagBytes) tab.destroy()
  }
  return {
    last: () => last,
    tell(event) {
      last += 1
      const text = frame(last, event)
      kept.push({ id: last, text })
      length += text.length
      while (kept.length > bounds.replayEvents || (length > bounds.replayCharacters && kept.length > 1))
        length -= kept.shift()?.text.length ?? 0
      for (const tab of tabs) send(tab, text)
    },
    open(response, after) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      const oldest = kept[0]?.id ?? last + 1
      if (after > last || after < oldest - 1) response.write(frame(last, { type: 'lost' }))
      else for (const { id, text } of kept) if (id > after) response.write(text)
      response.write('retry: 500\n\n')
      tabs.add(response)
      response.on('close', () => tabs.delete(response))
    },
    close() {
      clearInterval(beat)
      for (const tab of tabs) tab.end()
    },
  }
}

function frame(id: number, event: StudioEvent): string {
  return `id: ${id}\ndata: ${writeJson(event)}\n\n`
}
