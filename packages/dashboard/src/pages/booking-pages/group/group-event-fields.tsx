/** When a group event takes place, how long, and how many can join. */
import { useState } from 'react'
import { SelectField, TextField } from '../../../components/form.tsx'
import { durationOptions } from '../minutes.ts'
import { type GroupEventValues, repeats } from './group-event.ts'

export function GroupEventFields({
  values,
  onChange,
}: {
  values: GroupEventValues
  onChange(change: Partial<GroupEventValues>): void
}) {
  // A number that is being typed may be empty for a moment.
  const [seats, setSeats] = useState(String(values.capacity))
  const [times, setTimes] = useState(String(values.times))
  return (
    <div className="form-grid">
      <TextField label="Date" name="date" type="date" value={values.date} onChange={(date) => onChange({ date })} />
      <TextField label="Start" name="time" type="time" value={values.time} onChange={(time) => onChange({ time })} />
      <SelectField
        label="Duration"
        name="minutes"
        value={String(values.minutes)}
        options={durationOptions(values.minutes)}
        onChange={(minutes) => onChange({ minutes: Number(minutes) })}
      />
      <TextField
        label="Seats"
        name="capacity"
        type="number"
        min={1}
        max={500}
        value={seats}
        onChange={(text) => {
          setSeats(text)
          onChange({ capacity: Number(text) })
        }}
      />
      <SelectField
        label="Repeat"
        name="repeat"
        value={values.repeat}
        options={repeats}
        onChange={(repeat) => onChange({ repeat: repeat as GroupEventValues['repeat'] })}
      />
      {values.repeat !== '' && (
        <TextField
          label="How many times"
          name="times"
          type="number"
          min={2}
          max={365}
          value={times}
          onChange={(text) => {
            setTimes(text)
            onChange({ times: Number(text) })
          }}
        />
      )}
    </div>
  )
}
