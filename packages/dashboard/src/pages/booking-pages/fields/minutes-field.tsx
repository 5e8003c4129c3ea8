/** A duration with its unit. The value is in minutes. */
import { useId, useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { joinMinutes, splitMinutes, type Unit, units } from '../minutes.ts'

export function MinutesField({
  label,
  name,
  hint,
  value,
  min = 0,
  max,
  onChange,
}: {
  label: string
  name: string
  hint?: string
  value: number
  /** The smallest and the largest value in minutes. */
  min?: number
  max?: number
  onChange(minutes: number): void
}) {
  const id = useId()
  const given = splitMinutes(value)
  const [unit, setUnit] = useState<Unit>(given.unit)
  // The chosen unit stays while the value fits it: 60 minutes does not turn into 1 hour while somebody types.
  const factor = joinMinutes(1, unit)
  const shown = value % factor === 0 ? { amount: value / factor, unit } : given
  const [typed, setTyped] = useState<string>()
  return (
    <div className="amount">
      <TextField
        {...{ label, name, hint }}
        type="number"
        min={Math.ceil(min / joinMinutes(1, shown.unit))}
        max={max === undefined ? undefined : Math.floor(max / joinMinutes(1, shown.unit))}
        step={1}
        value={typed ?? shown.amount}
        onChange={(text) => {
          setTyped(text)
          const amount = Number(text)
          if (text !== '' && Number.isFinite(amount)) onChange(joinMinutes(amount, shown.unit))
        }}
        onBlur={() => typed !== '' && setTyped(undefined)}
      />
      <label className="hidden" htmlFor={id}>
        {label}: unit
      </label>
      <select
        id={id}
        className="input"
        value={shown.unit}
        onChange={(event) => {
          const next = event.currentTarget.value as Unit
          setUnit(next)
          onChange(joinMinutes(shown.amount, next))
        }}
      >
        {units.map(([each]) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </div>
  )
}
