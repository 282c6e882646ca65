/** A segment of a template string ([OATF §5.6](https://oatf.io/specification/execution-profile/)). */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'unclosed'; readonly text: string }

/** Splits a template into literal text and `{{references}}`. `\{{` is a literal `{{`. */
export function splitTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let text = ''
  let offset = 0
  while (offset < template.length) {
    const open = template.indexOf('{{', offset)
    if (open < 0) break
    if (template.charAt(open - 1) === '\\') {
      text += `${template.slice(offset, open - 1)}{{`
      offset = open + 2
      continue
    }
    text += template.slice(offset, open)
    const close = template.indexOf('}}', open + 2)
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
    if (close < 0) {
      parts.push({ kind: 'unclosed', text: template.slice(open).replaceAll('\\{{', '{{') })
      return parts
    }
    parts.push({ kind: 'reference', name: template.slice(open + 2, close) })
    offset = close + 2
  }
  text += template.slice(offset)
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}
