/** Renders the first frame of a page with the visible part only, for speed; the rest follows. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** False in the first frame of a page, true in all later ones. */
export function useIsPainted(): boolean {
  const isPainted = useSignal(performance.getEntriesByName('joust-shown').length > 0)
  useEffect(() => {
    if (isPainted.value) return
    const frame = requestAnimationFrame(() => setTimeout(() => (isPainted.value = true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted.value
}
