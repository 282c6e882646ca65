import { describeValue, own } from '@joust/source'
import { messageShapes } from '../bindings/message-shapes.ts'
import { type IndicatorSite, textOf } from '../rules/walk.ts'
import { todaysSurfaces } from './old-surface-names.ts'
import type { Places } from './places.ts'
import { STREAMED, seesStreams } from './streams.ts'
import { type Reading, retarget, surfacesWith } from './targets.ts'
import type { Translation } from './translation.ts'

/** The whole answer, by names that no message has. */
const REPLY = /^response(?:\.(?:content|text|body|message|output)(?:\[\*\])?(?:\.text)?)?$/

/** `response.content` is where the protocol has the text of an answer (D-001). */
export const replyTargets: Translation = (places) =>
  places.indicators.flatMap((indicator) =>
    own(indicator.value, 'direction') === 'request'
      ? []
      : retarget(
          indicator,
          (text) => (meansReply(text, indicator) ? answerOf(text, indicator, places) : undefined),
          (text, reading) => `${describeValue(text)} is read as ${shown(reading)}`,
        ),
  )

/** AG-UI knows no `body` either. */
function meansReply(text: string, { protocol }: IndicatorSite): boolean {
  return REPLY.test(text) || (protocol === 'ag_ui' && text === 'body')
}

/** Where an answer has its text: on the surface of the indicator, else on the one that usually carries it. */
function answerOf(text: string, indicator: IndicatorSite, places: Places): Reading | undefined {
  const { value, protocol = '' } = indicator
  const named = textOf(value, 'surface')
  if (protocol === 'ag_ui') return eventOf(text, named, indicator)
  if (protocol === 'a2a' && named === 'message/stream') return { target: STREAMED.target }
  const surface = named === undefined ? usual[protocol] : (todaysSurfaces(protocol, named)?.[0] ?? named)
  if (surface === usual.a2a && named !== surface && seesStreams(indicator, places)) return STREAMED
  const target = messageShapes(protocol).find((row) => row.surface === surface)?.responseText
  return target === undefined ? undefined : { target }
}

/** What the named event calls so; else the whole text of an assistant's message, added where the message ends. */
function eventOf(text: string, surface: string | undefined, indicator: IndicatorSite): Reading {
  const field = text.replace(/^response\./, '')
  if (surface !== undefined && surfacesWith(field, indicator).includes(surface)) return { target: field }
  return { target: '_text', surface: 'text_message_end' }
}

const usual: { readonly [protocol: string]: string } = { mcp: 'tools/call', a2a: 'message/send' }

function shown({ target, surface }: Reading): string {
  if (surface === undefined) return describeValue(target)
  return `${target === '_text' ? 'the whole text of an answer, ' : ''}"${target}" of ${surface}`
}
