/** A value as JSON text. While the text is invalid, the last valid value stays and the field shows an error. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { json } from '../../components/copy.tsx'
import { AreaField } from '../../components/form.tsx'

const shown = (value: unknown): string => (value === undefined ? '' : json(value))

export function JsonField({
  name,
  place,
  required,
  value,
  hint,
  rows = 4,
  onChange,
  onProblem,
}: {
  name: string
  place: string
  required: boolean
  value: unknown
  hint?: ReactNode
  rows?: number
  onChange(value: unknown): void
  onProblem?: (problem: string | undefined) => void
}) {
  const [text, setText] = useState(() => shown(value))
  const [problem, setProblem] = useState<string>()
  const last = useRef(value)
  useEffect(() => {
    // The value changed elsewhere, such as in a form field, so the text is updated.
    if (JSON.stringify(last.current) === JSON.stringify(value)) return
    last.current = value
    setText(shown(value))
    setProblem(undefined)
    onProblem?.(undefined)
  }, [value, onProblem])
  const change = (next: string): void => {
    setText(next)
    try {
      const read: unknown = next.trim() === '' ? undefined : JSON.parse(next)
      last.current = read
      setProblem(undefined)
      onProblem?.(undefined)
      onChange(read)
    } catch (error) {
      const said = `${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`
      setProblem(said)
      onProblem?.(said)
    }
  }
  return (
    <>
      <AreaField
        label={name}
        name={place}
        optional={!required}
        mono
        rows={rows}
        hint={hint}
        value={text}
        onChange={change}
      />
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
