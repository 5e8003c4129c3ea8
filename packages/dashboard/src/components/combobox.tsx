/**
 * A field with a list, following the ARIA combobox pattern: the focus stays in the field, arrow keys move in the
 * list.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

interface ComboboxOptions {
  /** Accessible name of the list. */
  label: string
  /** Number of options in the list. */
  length: number
  isOpen: boolean
  onChoose(index: number): void
  onClose?(): void
  onOpen?(): void
}

/** Props for the field, the list and its options. */
export function useCombobox({ label, length, isOpen, onChoose, onClose, onOpen }: ComboboxOptions) {
  const id = useId()
  const [wanted, setActive] = useState(0)
  const active = Math.min(wanted, length - 1)
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const move = (to: number): void => setActive(length === 0 ? 0 : (to + length) % length)
  const keys: Record<string, () => void> = {
    ArrowDown: () => (isOpen ? move(active + 1) : onOpen?.()),
    ArrowUp: () => (isOpen ? move(active - 1) : onOpen?.()),
    PageDown: () => setActive(Math.min(length - 1, active + 8)),
    PageUp: () => setActive(Math.max(0, active - 8)),
    Enter: () => isOpen && active >= 0 && onChoose(active),
  }
  return {
    active,
    first: () => setActive(0),
    field: {
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': isOpen && active >= 0 ? `${id}-${active}` : undefined,
      onKeyDown(event: KeyboardEvent) {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape' && isOpen && onClose) {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
        const act = keys[event.key]
        if (!act || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        act()
      },
    } as const,
    list: { id: `${id}-list`, role: 'listbox', 'aria-label': label, ref: list as never } as const,
    option: (index: number) =>
      ({
        id: `${id}-${index}`,
        role: 'option',
        'aria-selected': index === active,
        onMouseMove: () => setActive(index),
        // Prevents the click from moving the focus out of the field.
        onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
        onClick: () => onChoose(index),
      }) as const,
  }
}
