/** The time range of charts. */
import { SelectField } from './form.tsx'

/** Ranges that the service stores figures for, in hours. */
const ranges: readonly (readonly [hours: string, words: string])[] = [
  ['1', 'Last hour'],
  ['6', 'Last 6 hours'],
  ['24', 'Last 24 hours'],
  ['48', 'Last 48 hours'],
]

export function RangeField({ hours, onHours }: { hours: string; onHours(hours: string): void }) {
  return <SelectField label="Range" name="hours" value={hours} onChange={onHours} options={ranges} />
}
