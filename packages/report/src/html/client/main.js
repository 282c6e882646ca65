/** The report: reads its data, shows the page that the address names, listens to keys. */
import { createAttack } from './attack.js'
import { h } from './dom.js'
import { createOverview } from './overview.js'
import { attackLink, readRoute } from './router.js'
import { readReport } from './store.js'
import { plainText } from './text.js'
import { themeButton } from './theme.js'

/** @import { AttackView } from './attack.js' */
/** @import { AttackRoute } from './router.js' */

/** Begins. */
export function startReport() {
  const report = readReport()
  const { runs } = report
  const overview = createOverview(report)
  const main = h('main', {})
  /** @type {{ key: string, view: AttackView } | undefined} */
  let current
  const go = (/** @type {AttackRoute} */ route, replace = false) => {
    // Moving from message to message should not fill the history.
    if (replace && route.seq !== undefined) {
      history.replaceState(null, '', attackLink(route))
      show()
    } else location.hash = attackLink(route)
  }
  const show = () => {
    const route = readRoute(location.hash)
    const run = route.page === 'attack' ? runs[route.run] : undefined
    if (route.page === 'overview' || run?.target.attacks[route.attack] === undefined) {
      const came = current !== undefined
      current = undefined
      if (overview.element.parentElement !== main) main.replaceChildren(overview.element)
      document.title = 'Joust report'
      if (came) overview.focus()
      return
    }
    const key = attackLink({ ...route, seq: undefined })
    if (current?.key !== key) {
      current = { key, view: createAttack(run, route, go) }
      main.replaceChildren(current.view.element)
      window.scrollTo(0, 0)
      document.title = `${plainText(run.target.attacks[route.attack]?.attack.name ?? '')} · Joust report`
      main.querySelector('h1')?.focus({ preventScroll: true })
    }
    current.view.show(route.seq)
  }
  document.body.append(
    h(
      'div',
      { class: 'bar' },
      h('a', { class: 'brand', href: '#/' }, 'Joust'),
      h('span', { class: 'muted' }, 'report'),
      themeButton(),
    ),
    main,
  )
  window.addEventListener('hashchange', show)
  document.addEventListener('keydown', (event) => onKey(event))
  show()
  performance.mark('joust-shown')
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const field = event.target instanceof HTMLInputElement ? event.target : undefined
  if (event.key === '/' && field === undefined && !event.ctrlKey && !event.metaKey) {
    const search = document.querySelector('input[type=search]')
    if (search instanceof HTMLElement) {
      event.preventDefault()
      search.focus()
    }
  }
  if (event.key !== 'Escape') return
  if (field !== undefined && field.value !== '') {
    field.value = ''
    field.dispatchEvent(new Event('input'))
    return
  }
  const route = readRoute(location.hash)
  if (route.page === 'overview') return
  location.hash = route.seq === undefined ? '#/' : attackLink({ ...route, seq: undefined })
}
