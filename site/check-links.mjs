/** Links and anchors between the built pages of a site. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The number of internal links, and a line for each that leads nowhere. */
export function checkLinks(folder) {
  const pages = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.html') && !file.startsWith('live'))
    .map((file) => join(folder, file))
  const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]))
  const dead = []
  let links = 0
  for (const page of pages) {
    for (const [, href] of readFileSync(page, 'utf8').matchAll(
      /<(?:a|img|source)\b[^>]*? (?:href|src|srcset)="([^"]+)"/g,
    )) {
      if (/^[a-z]+:|^\/\//.test(href)) continue
      links += 1
      const [path, anchor] = href.split('#')
      const file = fileOf(folder, page, path)
      const where = `${relative(folder, page)}: `
      if (file === undefined) dead.push(`${where}no page ${href}`)
      else if (anchor && anchors.has(file) && !anchors.get(file).has(decodeURIComponent(anchor)))
        dead.push(`${where}no anchor ${href}`)
    }
  }
  return { links, dead: [...new Set(dead)] }
}

function anchorsOf(page) {
  return new Set([...readFileSync(page, 'utf8').matchAll(/ id="([^"]+)"/g)].map((match) => unescaped(match[1])))
}

function unescaped(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
}

function fileOf(folder, page, path) {
  if (path === '') return page
  const target = decodeURI(path.startsWith('/') ? join(folder, path) : join(dirname(page), path))
  const candidates = [target, `${target}.html`, join(target, 'index.html')]
  return candidates.find((file) => existsSync(file) && statSync(file).isFile())
}
