/** Templates with `{{name}}` and `{{name.sub}}`: prompts and approval messages. No sections, no escapes. */

/** A piece of a template: text as it is, or a placeholder. */
export type TemplatePart = { readonly text: string } | { readonly name: string }

/** Cuts a template into text and placeholders. Braces that are never closed are text. */
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

/** The different names that a template asks for. */
export function templateNames(template: string): string[] {
  return [...new Set(templateParts(template).flatMap((part) => ('name' in part ? [part.name] : [])))]
}
