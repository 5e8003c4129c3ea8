import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from './button.tsx'
import { SelectField, TextField } from './form.tsx'
import { Icon } from './icons.tsx'
import { tell } from './toast.tsx'

/** Where in a list the page begins: another filter shows it from its beginning. */
const place = ['at', 'page']

/** The filters of a list stand in the address, so that they outlive a look at a row and can be sent to others. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const change = (changes: Record<string, string>): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const name of place) after.delete(name)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return {
    read: (name: string): string => params.get(name) ?? '',
    set: (name: string, value: string): void => change({ [name]: value }),
    clear: (names: readonly string[]): void => change(Object.fromEntries(names.map((name) => [name, '']))),
  }
}

interface FilterProps {
  label: string
  /** What it is called in the address. */
  name: string
}

/** So long nothing is typed before the list is asked for. */
const pauseMs = 200

export function TextFilter({ label, name, placeholder }: FilterProps & { placeholder: string }) {
  const { read, set } = useFilters()
  const given = read(name)
  const [typed, setTyped] = useState(given)
  const told = useRef(given)
  // The address changed elsewhere, by a link or the browser's way back: the field follows.
  if (given !== told.current) {
    told.current = given
    if (given !== typed.trim()) setTyped(given)
  }
  const tellNow = (text: string): void => {
    if (text.trim() === told.current) return
    told.current = text.trim()
    set(name, text.trim())
  }
  useEffect(() => {
    const timer = setTimeout(() => tellNow(typed), pauseMs)
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
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && tellNow(typed)}
    />
  )
}

/** One of the options, or all of them. */
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
      onChange={(value) => set(name, value)}
      options={[['', 'All'], ...options]}
    />
  )
}

/** A day, of the viewer's own calendar. */
export function DayFilter({ label, name }: FilterProps) {
  const { read, set } = useFilters()
  return (
    <TextField
      required={false}
      type="date"
      {...{ label, name }}
      value={read(name)}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
}

/** Copies the address of what is shown: filters, order and page stand in it. */
export function CopyLink() {
  return (
    <Button
      aria-label="Copy link"
      title="Copy a link to this view"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(window.location.href)
          tell('Link copied')
        } catch {
          tell('Could not copy. The link is in the address bar.')
        }
      }}
    >
      <Icon name="link" />
    </Button>
  )
}

/** Filters, with those that are seldom wanted folded away, and a way to take all of them off. */
export function Filters({
  children,
  more,
  tools,
  names = [],
}: {
  children: ReactNode
  more?: ReactNode
  /** What can be done with all that the filters find. */
  tools?: ReactNode
  /** What the filters are called in the address. */
  names?: readonly string[]
}) {
  const { read, clear } = useFilters()
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
          <Button kind="plain" onClick={() => clear(names)}>
            Clear filters
          </Button>
        )}
        {tools && <div className="actions">{tools}</div>}
      </div>
      {more && open && <div className="filters">{more}</div>}
    </search>
  )
}
