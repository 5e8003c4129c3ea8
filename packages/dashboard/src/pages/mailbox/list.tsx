/** The contents of a folder: conversations or single messages, newest first. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Draft, Message, Thread } from '@waypost/sdk'
import type { KeyboardEvent } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { MailIcon } from './mail-icons.tsx'
import { namesOf } from './people.tsx'

/** One row of the list. */
export interface MailRow {
  id: string
  who: string
  subject: string
  snippet: string
  date: number | undefined
  unread: boolean
  starred: boolean
  files: boolean
  count: number
}

export function threadRow(thread: Thread, own: string): MailRow {
  const { latest_draft_or_message: latest } = thread
  const others = thread.participants.filter(({ email }) => email.toLowerCase() !== own.toLowerCase())
  return {
    id: thread.id,
    who: namesOf(others.length > 0 ? others : thread.participants, own),
    subject: thread.subject ?? latest.subject ?? '',
    snippet: thread.snippet ?? latest.snippet ?? '',
    date: thread.latest_message_received_date ?? thread.latest_message_sent_date ?? latest.date,
    unread: thread.unread,
    starred: thread.starred,
    files: thread.has_attachments,
    count: thread.message_ids.length + thread.draft_ids.length,
  }
}

export function messageRow(message: Message | Draft, own: string): MailRow {
  const isOwn = message.from?.some(({ email }) => email.toLowerCase() === own.toLowerCase()) ?? false
  return {
    id: message.id,
    who: isOwn || message.object === 'draft' ? `To: ${namesOf(message.to, own)}` : namesOf(message.from, own),
    subject: message.subject ?? '',
    snippet: message.snippet ?? '',
    date: message.date,
    unread: message.unread ?? false,
    starred: message.starred ?? false,
    files: message.attachments?.some(({ is_inline }) => !is_inline) ?? false,
    count: 1,
  }
}

/** Arrow keys move between rows, as in mail programs. */
function onArrow(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
  if (step === undefined) return
  const lines = Array.from(event.currentTarget.querySelectorAll<HTMLAnchorElement>('a'))
  const at = lines.indexOf(document.activeElement as HTMLAnchorElement)
  const next = lines[at + step]
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
}

function Row({ row, to, isOpen }: { row: MailRow; to: string; isOpen: boolean }) {
  return (
    <li>
      <Link href={to} className="mail-row" aria-current={isOpen || undefined} data-unread={row.unread || undefined}>
        <span className="mail-row-who">
          {row.unread && <span className="hidden">Unread. </span>}
          <bdi>{row.who}</bdi>
          {row.count > 1 && <span className="mail-count">{row.count}</span>}
        </span>
        <span className="mail-row-when">
          <Time at={row.date} none="" />
        </span>
        <span className="mail-row-subject">
          <bdi>{row.subject || '(no subject)'}</bdi>
        </span>
        <span className="mail-row-marks">
          {row.files && <MailIcon name="clip" label="With attachments" />}
          {row.starred && <MailIcon filled name="star" label="Starred" />}
        </span>
        <span className="mail-row-snippet">{row.snippet}</span>
      </Link>
    </li>
  )
}

interface ListProps<T> {
  query: UseInfiniteQueryResult<T[]>
  rowOf(item: T): MailRow
  to(id: string): string
  open: string | undefined
  isSearch: boolean
}

export function MailList<T>({ query, rowOf, to, open, isSearch }: ListProps<T>) {
  return (
    <Loaded query={query} lines={9}>
      {(items) =>
        items.length === 0 && !query.hasNextPage ? (
          <Empty title={isSearch ? 'No results' : 'No messages'}>
            {isSearch ? 'Search all folders or use fewer words.' : 'New messages appear automatically.'}
          </Empty>
        ) : (
          <>
            <ul className="mail-list" aria-label="Messages" onKeyDown={onArrow}>
              {items.map(rowOf).map((row) => (
                <Row key={row.id} row={row} to={to(row.id)} isOpen={row.id === open} />
              ))}
            </ul>
            {query.hasNextPage && (
              <div className="mail-more">
                <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {query.isFetchingNextPage ? 'Loading' : 'Show more'}
                </Button>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  )
}
