/** Templates for prompts and approval messages: `{{name}}` and `{{name.sub}}`, without sections or escapes. */

/** Literal text or a placeholder. */
export type TemplatePart = { readonly text: string } | { readonly name: string }

/**
 * Splits a template into text and placeholders. Unclosed braces are text.
 *
 * @example
 * const parts = templateParts('Weather in {{city}}')
 */
export function templateParts(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (;;) {
    const open = template.indexOf('{{', from)
    const close = open < 0 ? -1 : template.indexOf('}}', open + 2)
    if (close < 0) break
    if (open > from) parts.push({ text: template.slice(from, open) })
    parts.push({ name: template.slice(open + 2, close).trim() })
    from = close + 2
  }
  if (from < template.length) parts.push({ text: template.slice(from) })
  return parts
}

export function templateNames(template: string): string[] {
  return [...new Set(templateParts(template).flatMap((part) => ('name' in part ? [part.name] : [])))]
}
