import { SelectField } from '../../../components/form.tsx'
import { localZone } from '../../calendar/zones.ts'

const zones = Intl.supportedValuesOf('timeZone')

export function ZoneField({
  label = 'Time zone',
  name,
  value,
  none,
  hint,
  onChange,
}: {
  label?: string
  name: string
  value: string
  /** Text of the option without a time zone. */
  none?: string
  hint?: string
  onChange(zone: string): void
}) {
  const known = [...new Set([localZone(), 'UTC', ...zones, ...(value ? [value] : [])])]
  return (
    <SelectField
      {...{ label, name, hint, value, onChange }}
      options={[
        ...(none === undefined ? [] : [['', none] as const]),
        ...known.map((zone) => [zone, zone === localZone() ? `${zone} (yours)` : zone] as const),
      ]}
    />
  )
}
