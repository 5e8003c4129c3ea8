/** Renders the messages in a response. */
import { useState } from 'react'
import { MessageFrame } from '../../components/message-frame.tsx'
import { Facts } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

interface Person {
  name?: string
  email?: string
}
export interface Letter {
  id: string
  subject?: string
  from?: readonly Person[]
  to?: readonly Person[]
  date?: number
  body?: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isLetter = (value: unknown): value is Letter =>
  isRecord(value) && (value.object === 'message' || value.object === 'draft') && typeof value.body === 'string'

/** Messages and drafts in a response that have a body. */
export function lettersIn(json: unknown): Letter[] {
  const data = isRecord(json) ? json.data : undefined
  const items: unknown[] = Array.isArray(data) ? data : [data]
  return items.filter(isLetter)
}

/** Each name is isolated, so that bidirectional text in it cannot reorder the address. */
function People({ list }: { list: unknown }) {
  const people = (Array.isArray(list) ? list : []).filter(isRecord)
  if (people.length === 0) return '–'
  return people.map(({ name, email }, index) => (
    <span key={index}>
      {index > 0 && ', '}
      {typeof name === 'string' && name !== '' && <bdi>{name} </bdi>}
      <bdi className="quiet">&lt;{String(email ?? '')}&gt;</bdi>
    </span>
  ))
}

export function Letters({ letters }: { letters: readonly Letter[] }) {
  const [open, setOpen] = useState(letters.length === 1 ? letters[0]?.id : undefined)
  return (
    <ul className="list">
      {letters.map((letter) => (
        <li key={letter.id}>
          <details
            open={open === letter.id}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) setOpen(letter.id)
              else setOpen((shown) => (shown === letter.id ? undefined : shown))
            }}
          >
            <summary className="wrap">{letter.subject || '(no subject)'}</summary>
            {open === letter.id && (
              <div className="stack">
                <Facts
                  rows={[
                    ['From', <People key="from" list={letter.from} />],
                    ['To', <People key="to" list={letter.to} />],
                    ['Date', <Time key="date" at={letter.date} none="–" />],
                  ]}
                />
                <MessageFrame
                  key={letter.body}
                  body={letter.body ?? ''}
                  title={`Body of ${letter.subject || 'the message'}`}
                />
              </div>
            )}
          </details>
        </li>
      ))}
    </ul>
  )
}
