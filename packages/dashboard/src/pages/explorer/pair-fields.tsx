/** Key-value pairs, such as metadata: one per line. */
import { useEffect, useRef, useState } from 'react'
import { AreaField } from '../../components/form.tsx'
import { Prose } from '../../components/prose.tsx'
import { recordOf } from './schema.ts'

const linesOf = (value: unknown): string =>
  Object.entries(recordOf(value))
    .map(([key, each]) => `${key}: ${String(each)}`)
    .join('\n')

function pairsIn(text: string): Record<string, string> | undefined {
  const pairs = text.split('\n').flatMap((line) => {
    const [key = '', ...rest] = line.split(':')
    return key.trim() === '' ? [] : [[key.trim(), rest.join(':').trim()]]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

export function PairFields({
  name,
  place,
  required,
  value,
  words,
  onChange,
}: {
  name: string
  place: string
  required: boolean
  value: unknown
  words: string
  onChange(value: unknown): void
}) {
  const [text, setText] = useState(() => linesOf(value))
  const last = useRef(JSON.stringify(value))
  useEffect(() => {
    // The value changed elsewhere, so the text is updated.
    if (last.current === JSON.stringify(value)) return
    last.current = JSON.stringify(value)
    setText(linesOf(value))
  }, [value])
  return (
    <AreaField
      label={name}
      name={place}
      optional={!required}
      mono
      rows={3}
      hint={<Prose text={`${words} One pair per line, as \`key: value\`.`} />}
      value={text}
      onChange={(next) => {
        setText(next)
        const pairs = pairsIn(next)
        last.current = JSON.stringify(pairs)
        onChange(pairs)
      }}
    />
  )
}
