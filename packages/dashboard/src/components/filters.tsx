import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { SelectField, TextField } from './form.tsx'

/** The filters of a list stand in the address, so that they outlive a look at a row and can be sent to others. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  return {
    read: (name: string): string => params.get(name) ?? '',
    set: (name: string, value: string): void =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true },
      ),
  }
}

interface FilterProps {
  label: string
  /** What it is called in the address. */
  name: string
}

export function TextFilter({ label, name, placeholder }: FilterProps & { placeholder: string }) {
  const { read, set } = useFilters()
  return (
    <TextField
      wide
      required={false}
      type="search"
      {...{ label, name, placeholder }}
      value={read(name)}
      onChange={(event) => set(name, event.currentTarget.value)}
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

export function Filters({ children }: { children: ReactNode }) {
  return <search className="filters">{children}</search>
}
