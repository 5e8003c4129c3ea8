/** A conversation: its messages from old to new, the newest open. */
import type { Message } from '@waypost/sdk'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { Actions } from './actions.tsx'
import type { DraftStart } from './compose-draft.ts'
import type { ShownFolder } from './folder-tree.ts'
import {
  changeThread,
  deleteDraft,
  deleteThread,
  type Mailbox,
  sendDraft,
  useConversation,
  useDraft,
  useMessage,
} from './mail.ts'
import { Body, Head, OpenMessage } from './message.tsx'
import { Initial, namesOf } from './people.tsx'

interface ReadingProps {
  mailbox: Mailbox
  folders: readonly ShownFolder[]
  onWrite(begun: DraftStart): void
  onGone(): void
}

/** The subject takes the focus, so that screen readers read it when another conversation is opened. */
function Subject({ text }: { text: string | undefined }) {
  return (
    <h2 className="letter-subject wrap" tabIndex={-1}>
      {text || '(no subject)'}
    </h2>
  )
}

function Folded({ message, own, onOpen }: { message: Message; own: string; onOpen(): void }) {
  return (
    <button type="button" className="letter-folded" aria-expanded={false} onClick={onOpen}>
      <Initial of={message.from?.[0]} />
      <span className="letter-folded-who" data-unread={message.unread || undefined}>
        <bdi>{namesOf(message.from, own)}</bdi>
      </span>
      <span className="letter-folded-snippet">{message.snippet}</span>
      <span className="quiet small">
        <Time at={message.date} none="" />
      </span>
    </button>
  )
}

function Letters({ messages, thread, ...props }: ReadingProps & { messages: readonly Message[]; thread: string }) {
  const { mailbox, folders, onGone } = props
  const newest = messages.at(-1)?.id
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const isOpen = (id: string): boolean => opened.has(id) || id === newest
  const marked = {
    unread: messages.some(({ unread }) => unread),
    starred: messages.some(({ starred }) => starred),
    folders: [...new Set(messages.flatMap((each) => each.folders ?? []))],
  }
  return (
    <>
      <div className="letter-top">
        <Subject text={messages[0]?.subject} />
        {messages.length > 1 && (
          <div className="actions">
            <Button small kind="plain" onClick={() => setOpened(new Set(messages.map(({ id }) => id)))}>
              Open all {messages.length}
            </Button>
            <Actions
              what="conversation"
              of={marked}
              folders={folders}
              onChange={(change) => changeThread(mailbox, thread, change)}
              onDelete={() => deleteThread(mailbox, thread)}
              onGone={onGone}
            />
          </div>
        )}
      </div>
      <ol className="letters">
        {messages.map((message) => (
          <li key={message.id} className="letter">
            {isOpen(message.id) ? (
              <OpenMessage {...props} id={message.id} />
            ) : (
              <Folded
                message={message}
                own={mailbox.address}
                onOpen={() => setOpened((before) => new Set([...before, message.id]))}
              />
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

export function Conversation({ thread, ...props }: ReadingProps & { thread: string }) {
  const messages = useConversation(props.mailbox, thread)
  return (
    <Loaded query={messages} lines={8}>
      {(found) =>
        found.length === 0 ? (
          <Empty title="This conversation is empty" />
        ) : (
          <Letters {...props} thread={thread} messages={found} />
        )
      }
    </Loaded>
  )
}

/** A single message without its conversation. */
export function SingleMessage({ id, ...props }: ReadingProps & { id: string }) {
  const message = useMessage(props.mailbox, id)
  return (
    <>
      {message.data && <Subject text={message.data.subject} />}
      <div className="letter">
        <OpenMessage {...props} id={id} />
      </div>
    </>
  )
}

export function OpenDraft({ id, mailbox, onGone }: Pick<ReadingProps, 'mailbox' | 'onGone'> & { id: string }) {
  const draft = useDraft(mailbox, id)
  const done = (words: string) => (): void => {
    showToast(words)
    onGone()
  }
  return (
    <Loaded query={draft} lines={7}>
      {(found) => (
        <>
          <Subject text={found.subject} />
          <div className="letter">
            <Head letter={found} actions={null} />
            <Body mailbox={mailbox} letter={found} as="message" />
            <div className="actions">
              {mailbox.sends && (
                <ConfirmButton
                  small
                  danger={false}
                  label="Send"
                  title="Send this draft?"
                  onConfirm={() => sendDraft(mailbox, found.id).then(done('Message sent'))}
                >
                  <p>It is sent to all its recipients in the customer’s name.</p>
                </ConfirmButton>
              )}
              <ConfirmButton
                small
                label="Delete"
                title="Delete this draft?"
                onConfirm={() => deleteDraft(mailbox, found.id).then(done('Draft deleted'))}
              >
                <p>This cannot be undone.</p>
              </ConfirmButton>
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}
