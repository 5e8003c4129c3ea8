/** Exactly what an approval covers: recipients, text, files and further facts. All of it is text by others. */
import type { Approval } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { MessageFrame } from '../../components/message-frame.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { visibleText } from '../../foreign-text.ts'
import { sayRole, saySize } from './approval-words.ts'

type Recipient = Approval['preview']['recipients'][number]

/** The address first: a name can say anything. */
const People = ({ people }: { people: readonly Recipient[] }) => (
  <ul className="approval-people">
    {people.map(({ email, name }, index) => (
      <li key={index}>
        <bdi>
          <strong>{visibleText(email)}</strong>
        </bdi>
        {name && (
          <>
            {' '}
            <bdi className="quiet">{visibleText(name)}</bdi>
          </>
        )}
      </li>
    ))}
  </ul>
)

const Files = ({ files }: { files: Approval['preview']['attachments'] }) => (
  <ul className="approval-files">
    {files.map(({ filename, content_type, size }, index) => (
      <li key={index}>
        <bdi>
          <strong>{visibleText(filename)}</strong>
        </bdi>{' '}
        <span className="quiet">
          {visibleText(content_type)}, {saySize(size)}
        </span>
      </li>
    ))}
  </ul>
)

type Rows = (readonly [string, ReactNode])[]

function peopleIn({ recipients, subject }: Approval['preview']): Rows {
  const byRole = [...Map.groupBy(recipients, ({ role }) => role)]
  return [
    ...byRole.map(([role, people]) => [sayRole(role), <People key={role} people={people} />] as const),
    ...(subject === undefined ? [] : [['Subject', <bdi key="subject">{visibleText(subject)}</bdi>] as const]),
  ]
}

const factsIn = ({ attachments, details }: Approval['preview']): Rows => [
  ...(attachments.length > 0 ? [['Attachments', <Files key="files" files={attachments} />] as const] : []),
  ...details.map(
    ({ label, value }, index) =>
      [
        visibleText(label),
        <bdi key={index} className="wrap">
          {visibleText(value)}
        </bdi>,
      ] as const,
  ),
]

export function Preview({ approval: { preview, status } }: { approval: Approval }) {
  const { text, html, text_is_cut: isCut } = preview
  const title = status === 'pending' ? 'What will happen' : 'What was requested'
  return (
    <Card title={title} lead="The approval covers exactly this, once.">
      <div className="card-body stack">
        <Facts rows={peopleIn(preview)} />
        <div className={html === undefined ? undefined : 'approval-sides'}>
          {text !== undefined && (
            <div className="stack">
              {html !== undefined && <h3>All of its text</h3>}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
              <section className="approval-text" aria-label="Text" tabIndex={0}>
                {visibleText(text)}
              </section>
            </div>
          )}
          {html !== undefined && (
            <div className="stack">
              <h3>As mail programs show it</h3>
              <div className="approval-message">
                <MessageFrame body={html} title="The message as mail programs show it" />
              </div>
            </div>
          )}
        </div>
        {isCut && (
          <div className="note warn">
            <strong>The text is longer than what is shown here.</strong>
            <span>Turn it into a draft to read all of it.</span>
          </div>
        )}
        <Facts rows={factsIn(preview)} />
      </div>
    </Card>
  )
}
