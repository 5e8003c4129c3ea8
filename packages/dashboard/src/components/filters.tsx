import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFilters } from '../list/address.ts'
import { Button } from './button.tsx'
import { SelectField, TextField } from './form.tsx'
import { Icon } from './icons.tsx'
import { showToast } from './toast.tsx'

interface FilterProps {
  label: string
  /** Name of the query parameter. */
  name: string
}

/** Delay after the last keystroke before the list is requested. */
const pauseMs = 200

export function TextFilter({ label, name, placeholder }: FilterProps & { placeholder: string }) {
  const { read, set } = useFilters()
  const given = read(name)
  const [typed, setTyped] = useState(given)
  const applied = useRef(given)
  // The URL changed elsewhere, by a link or the Back button, so the field is updated.
  if (given !== applied.current) {
    applied.current = given
    if (given !== typed.trim()) setTyped(given)
  }
  const applyNow = (text: string): void => {
    if (text.trim() === applied.current) return
    applied.current = text.trim()
    set({ [name]: text.trim() })
  }
  useEffect(() => {
    const timer = setTimeout(() => applyNow(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextField
      wide
      required={false}
      type="search"
      {...{ label, name, placeholder }}
      value={typed}
      data-search
      onChange={setTyped}
      onKeyDown={(event) => event.key === 'Enter' && applyNow(typed)}
    />
  )
}

/** A choice of one option or all. */
export function ChoiceFilter({
  label,
  name,
  options,
}: FilterProps & { options: readonly (readonly [value: string, text: string])[] }) {
  const { read, set } = useFilters()
  return (
    <SelectField
      {...{ label, name }}
      value={read(name)}
      onChange={(value) => set({ [name]: value })}
      options={[['', 'All'], ...options]}
    />
  )
}

/** A day in the viewer's time zone. */
export function DayFilter({ label, name }: FilterProps) {
  const { read, set } = useFilters()
  return (
    <TextField
      required={false}
      type="date"
      {...{ label, name }}
      value={read(name)}
      onChange={(text) => set({ [name]: text })}
    />
  )
}

/** Copies the URL of the current view with its filters, order and page. */
export function CopyLink() {
  return (
    <Button
      aria-label="Copy link"
      title="Copy a link to this view"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(window.location.href)
          showToast('Link copied')
        } catch {
          showToast('Could not copy. The link is in the address bar.')
        }
      }}
    >
      <Icon name="link" />
    </Button>
  )
}

/** Filters with the rare ones collapsed, and a button that clears all of them. */
export function Filters({
  children,
  more,
  tools,
  names = [],
}: {
  children: ReactNode
  more?: ReactNode
  /** Actions on the filtered list, such as an export. */
  tools?: ReactNode
  /** Query parameters of the filters. */
  names?: readonly string[]
}) {
  const { read, set } = useFilters()
  const used = names.filter((name) => read(name) !== '').length
  const [open, setOpen] = useState(used > 0)
  return (
    <search className="filter-area">
      <div className="filters">
        {children}
        {more && (
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Fewer filters' : 'More filters'}
          </Button>
        )}
        {used > 0 && (
          <Button kind="plain" onClick={() => set(Object.fromEntries(names.map((name) => [name, ''])))}>
            Clear filters
          </Button>
        )}
        {tools && <div className="actions">{tools}</div>}
      </div>
      {more && open && <div className="filters">{more}</div>}
    </search>
  )
}
