/** Where the meeting takes place: a location, or an online meeting. */
import { SelectField, TextField } from '../../../components/form.tsx'
import type { Place } from '../new-page.ts'

export function PlaceFields({
  place,
  where,
  conference,
  onChange,
}: {
  place: Place
  where: string
  /** The online meeting that the calendar can create; undefined if it cannot. */
  conference: string | undefined
  onChange(change: { place: Place; where: string }): void
}) {
  const options: (readonly [value: Place, text: string])[] = [
    ['none', 'No location'],
    ['location', 'A place or phone number'],
    ...(conference ? [['conference', conference] as const] : []),
    ['link', 'Your own meeting link'],
  ]
  return (
    <>
      <SelectField
        label="Where"
        name="place"
        value={place}
        options={options}
        hint={place === 'conference' ? 'Every booking gets a new online meeting.' : undefined}
        onChange={(next) => onChange({ place: next as Place, where: '' })}
      />
      {place === 'location' && (
        <TextField
          label="Place or phone number"
          name="event_booking.location"
          maxLength={1024}
          value={where}
          onChange={(where) => onChange({ place, where })}
        />
      )}
      {place === 'link' && (
        <TextField
          label="Meeting link"
          name="event_booking.conferencing.details.url"
          type="url"
          placeholder="https://"
          maxLength={2048}
          value={where}
          onChange={(where) => onChange({ place, where })}
        />
      )}
    </>
  )
}
