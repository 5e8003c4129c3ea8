/** The chosen slot. Choosing one is a step in the browser's history, so that "back" leads to the times again. */
import { useEffect, useState } from 'preact/hooks'
import type { Slot } from '../slots.ts'

export function useChosenSlot(): [Slot | undefined, (slot: Slot | undefined) => void] {
  const [slot, setSlot] = useState<Slot>()
  useEffect(() => {
    const leave = (): void => setSlot(undefined)
    window.addEventListener('popstate', leave)
    return () => window.removeEventListener('popstate', leave)
  }, [])
  const change = (next: Slot | undefined): void => {
    if (next && !slot) history.pushState(null, '')
    if (!next && slot) history.back()
    else setSlot(next)
  }
  return [slot, change]
}
