/** The mailbox of a grant: folders, conversations and messages, with live updates. */
import type { Grant, StreamedNotification } from '@waypost/sdk'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Empty, ErrorNote } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { type Liveness, useLive } from '../../live.ts'
import '../../styles/mailbox.css'
import { useRights } from '../../rights.ts'
import { GrantData } from '../grants/grant-data.tsx'
import { useGrantActivity } from '../grants/grant-tabs.tsx'
import { Compose } from './compose.tsx'
import { blank, type DraftStart } from './compose-draft.ts'
import { Conversation, OpenDraft, SingleMessage } from './conversation.tsx'
import { folderTree, isFor } from './folder-tree.ts'
import { FolderChoice, FolderTree } from './folders.tsx'
import { MailList, messageRow, threadRow } from './list.tsx'
import { type Mailbox, refreshMail, useDrafts, useFolders, useMessages, useThreads } from './mail.ts'
import { MailIcon } from './mail-icons.tsx'
import { everywhere, type MailPlace, searchOf, usePlace } from './place.ts'
import { Search } from './search.tsx'

const triggers = ['message.created', 'message.updated', 'folder.created', 'folder.updated', 'folder.deleted']

/** Names of the providers' native search languages. */
const languages: Record<string, string> = { google: 'Gmail’s operators', microsoft: 'KQL', ews: 'AQS' }

const liveWords: Record<Liveness, string> = {
  live: 'Live: new messages appear immediately',
  polling: 'Checks every 20 seconds. Turn on the notification stream to see new messages immediately.',
  lost: 'The service does not respond. Retrying.',
  ended: 'Automatic updates are off',
}

/** Announces new messages from notifications. */
function arrived(notifications: readonly StreamedNotification[]): void {
  const news = notifications.filter(({ type }) => type.startsWith('message.created'))
  const [first] = news
  if (!first) return
  const subject = first.data.object?.subject
  showToast(
    news.length > 1 ? `${news.length} new messages` : `New message: ${String(subject || '(no subject)').slice(0, 80)}`,
  )
}

const Write = ({ onWrite }: { onWrite(): void }) => (
  <Button kind="primary" onClick={onWrite}>
    <MailIcon name="write" />
    Write
  </Button>
)

function MailboxView({ mailbox, provider }: { mailbox: Mailbox; provider: string }) {
  const [location, navigate] = useLocation()
  const place = usePlace()
  const [writing, setWriting] = useState<DraftStart>()
  const folders = useFolders(mailbox)
  const tree = useMemo(() => folderTree(folders.data ?? []), [folders.data])
  const inbox = (tree.find(({ folder }) => isFor(folder, '\\Inbox')) ?? tree[0])?.folder.id
  const current = place.folder ?? inbox ?? everywhere
  const isDrafts = isFor(tree.find(({ folder }) => folder.id === current)?.folder, '\\Drafts')
  const live = useLive({
    application: mailbox.application,
    grant: mailbox.grant,
    triggers,
    onChange: (notifications) => {
      arrived(notifications)
      void refreshMail(mailbox)
    },
  })
  const go = (next: Partial<MailPlace>): void => navigate(`${location}${searchOf({ ...place, ...next })}`)
  const onGone = (): void => go({ open: undefined })
  const reading = { mailbox, folders: tree, onWrite: setWriting, onGone }
  return (
    <div className="mailbox" data-open={place.open !== undefined || undefined}>
      <aside className="mail-side">
        {mailbox.sends && <Write onWrite={() => setWriting(blank)} />}
        {folders.error && <ErrorNote error={folders.error} onRetry={() => void folders.refetch()} />}
        <FolderTree folders={tree} current={current} place={place} at={location} />
        <FolderChoice
          folders={tree}
          current={current}
          onChoose={(folder) => go({ folder, open: undefined, filter: {} })}
        />
      </aside>
      <section className="mail-middle" aria-label="Message list">
        <Search
          filter={place.filter}
          native={languages[provider] ?? 'IMAP search keys'}
          onSearch={(filter) => go({ filter, open: undefined })}
        />
        <div className="mail-bar">
          <fieldset className="letter-views">
            <legend className="hidden">List</legend>
            {(['threads', 'messages'] as const).map((view) => (
              <button
                key={view}
                type="button"
                aria-pressed={place.view === view}
                onClick={() => go({ view, open: undefined })}
              >
                {view === 'threads' ? 'Conversations' : 'Messages'}
              </button>
            ))}
          </fieldset>
          <span className="mail-live" data-live={live} title={liveWords[live]}>
            {live === 'live' ? 'Live' : live === 'lost' ? 'Offline' : 'Every 20 s'}
          </span>
        </div>
        {(inbox !== undefined || folders.error) && (
          <List mailbox={mailbox} place={place} folder={current} isDrafts={isDrafts} location={location} />
        )}
      </section>
      <section className="mail-reading" aria-label="Message">
        {place.open === undefined ? (
          <Empty title="No message selected">Select a message. Opening it does not mark it as read.</Empty>
        ) : (
          <>
            <Link className="crumb mail-back" href={`${location}${searchOf({ ...place, open: undefined })}`}>
              <Icon name="back" />
              Back to the list
            </Link>
            <Open key={place.open} {...reading} place={place} id={place.open} isDrafts={isDrafts} />
          </>
        )}
      </section>
      {writing && <Compose mailbox={mailbox} begun={writing} onClose={() => setWriting(undefined)} />}
    </div>
  )
}

interface ListProps {
  mailbox: Mailbox
  place: MailPlace
  folder: string
  isDrafts: boolean
  location: string
}

function List({ mailbox, place, folder, isDrafts, location }: ListProps) {
  const requested = { folder: folder === everywhere ? undefined : folder, filter: place.filter }
  const isSearch = Object.keys(place.filter).length > 0
  const threads = useThreads(mailbox, requested, !isDrafts && place.view === 'threads')
  const messages = useMessages(mailbox, requested, !isDrafts && place.view === 'messages')
  const drafts = useDrafts(mailbox, isDrafts)
  const shown = {
    to: (open: string) => `${location}${searchOf({ ...place, open })}`,
    open: place.open,
    isSearch,
  }
  const own = mailbox.address
  if (isDrafts) return <MailList {...shown} query={drafts} rowOf={(draft) => messageRow(draft, own)} />
  if (place.view === 'threads')
    return <MailList {...shown} query={threads} rowOf={(thread) => threadRow(thread, own)} />
  return <MailList {...shown} query={messages} rowOf={(message) => messageRow(message, own)} />
}

interface OpenProps {
  mailbox: Mailbox
  place: MailPlace
  id: string
  isDrafts: boolean
  folders: ReturnType<typeof folderTree>
  onWrite(begun: DraftStart): void
  onGone(): void
}

function Open({ place, id, isDrafts, ...reading }: OpenProps) {
  if (isDrafts) return <OpenDraft id={id} mailbox={reading.mailbox} onGone={reading.onGone} />
  if (place.view === 'threads') return <Conversation {...reading} thread={id} />
  return <SingleMessage {...reading} id={id} />
}

export function MailboxPage({ application, id }: { application: string; id: string }) {
  return (
    <GrantData application={application} id={id} current="mail">
      {(grant: Grant) => <GrantMailbox application={application} grant={grant} />}
    </GrantData>
  )
}

/** Composing is offered only if the account can send and the grant is valid. */
function GrantMailbox({ application, grant }: { application: string; grant: Grant }) {
  const activity = useGrantActivity(application, grant.id)
  const { change } = useRights()
  const isWorking = grant.grant_status === 'valid' && !grant.blocked
  const sends = change && isWorking && activity.data?.operations.includes('messages.send') === true
  const mailbox = { application, grant: grant.id, address: grant.email, sends }
  return <MailboxView mailbox={mailbox} provider={grant.provider} />
}
