/** Keyboard shortcuts of every page. The dialogs they open are loaded on first use. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon, type IconName } from './icons.tsx'
import { commandKey, pageKeys, serviceKeys } from './shortcut-keys.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

/** Maximum time between `g` and the next letter. */
const sequenceMs = 1500

/** Whether the user is typing or a dialog is open. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('dialog[open]') !== null

export function Keyboard({
  application,
  pages,
}: {
  application: string | undefined
  pages: readonly (readonly [to: string, text: string, icon: IconName])[]
}) {
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  const [, navigate] = useLocation()
  const begun = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const goTo = (key: string): void => {
      const inApplication = pageKeys[key]
      if (inApplication !== undefined && application !== undefined) navigate(`/a/${application}${inApplication}`)
      else if (serviceKeys[key] !== undefined) navigate(serviceKeys[key])
    }
    const onKey = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (isPalette && document.querySelector('dialog[open]:not(.palette)') === null) {
        event.preventDefault()
        setOpen((shown) => (shown === 'palette' ? undefined : 'palette'))
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTaken(event.target)) return
      const isSequence = event.timeStamp - begun.current < sequenceMs
      begun.current = Number.NEGATIVE_INFINITY
      if (isSequence) goTo(event.key.toLowerCase())
      else if (event.key === 'g') begun.current = event.timeStamp
      else if (event.key === '?') setOpen('shortcuts')
      else if (event.key === '/') {
        event.preventDefault()
        const search = document.querySelector<HTMLInputElement>('main [data-search]')
        if (search) search.focus()
        else setOpen('palette')
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [application, navigate])
  const close = (): void => setOpen(undefined)
  return (
    <>
      <button type="button" className="palette-button" onClick={() => setOpen('palette')}>
        <Icon name="search" />
        Search
        <kbd>{commandKey} K</kbd>
      </button>
      <Suspense>
        {open === 'palette' && (
          <Palette {...{ application, pages }} onClose={close} onShortcuts={() => setOpen('shortcuts')} />
        )}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}
