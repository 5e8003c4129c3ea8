/** A list of values of one kind, such as addresses, each with a type. */
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'

export interface ValueRow {
  key: number
  value: string
  type: string
}

const kinds = ['', 'work', 'home', 'mobile', 'other'] as const

let last = 0
export const rowOf = (value: string, type: string | null | undefined): ValueRow => {
  last += 1
  return { key: last, value, type: type ?? '' }
}

export function ValueRows({
  label,
  one,
  kind,
  rows,
  onChange,
}: {
  label: string
  /** Name of one value, in the singular. */
  one: string
  kind: 'email' | 'tel'
  rows: readonly ValueRow[]
  onChange(rows: ValueRow[]): void
}) {
  const set = (key: number, change: Partial<ValueRow>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      {rows.map(({ key, value, type }, index) => (
        <div key={key} className="value-row">
          <input
            className="input"
            type={kind}
            required
            aria-label={`${one} ${index + 1}`}
            value={value}
            onChange={(event) => set(key, { value: event.currentTarget.value })}
          />
          <select
            className="input"
            aria-label={`Type of ${one.toLowerCase()} ${index + 1}`}
            value={type}
            onChange={(event) => set(key, { type: event.currentTarget.value })}
          >
            {[...new Set([...kinds, type])].map((each) => (
              <option key={each} value={each}>
                {each || 'no type'}
              </option>
            ))}
          </select>
          <Button
            kind="plain"
            aria-label={`Remove ${one.toLowerCase()} ${index + 1}`}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          >
            <Icon name="cross" />
          </Button>
        </div>
      ))}
      <div>
        <Button small onClick={() => onChange([...rows, rowOf('', kind === 'tel' ? 'mobile' : 'work')])}>
          <Icon name="plus" />
          {`Add ${one.toLowerCase()}`}
        </Button>
      </div>
    </fieldset>
  )
}
