/** The link to a page, and the code that embeds it. */
import type { SchedulingPage } from '@waypost/sdk'
import { LinkButton } from '../../components/button.tsx'
import { Code, CopyButton, CopyText } from '../../components/copy.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { frameCode, pageUrl, scriptCode } from './embed.ts'
import { PageFrame } from './page-frame.tsx'

function CodeToCopy({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-to-copy">
      <Code text={text} label={label} />
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  )
}

function Shared({ application, page }: { application: string; page: SchedulingPage }) {
  const url = pageUrl(application, page)
  const edit = `/a/${application}/booking-pages/${page.id}`
  if (page.requires_session_auth) {
    return (
      <Card>
        <Empty title="This page is private">
          Guests need a session, which your application creates with <code>POST /v3/scheduling/sessions</code>. Turn
          this off under Edit to share a link.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      <Card title="Link" lead="Anyone with this link can book.">
        <div className="card-body stack">
          <CopyText text={url} label="Copy the link" />
        </div>
      </Card>
      <Card title="Embed in a site" lead="One line shows the page inside another page.">
        <div className="card-body stack">
          {page.embed_origins.length === 0 ? (
            <div className="note warn">
              <strong>No site may embed this page yet.</strong>
              <span>Add the origin of your site, such as https://example.com, under Edit, Address and access.</span>
              <div className="actions">
                <LinkButton small changes to={edit}>
                  Add an origin
                </LinkButton>
              </div>
            </div>
          ) : (
            <p>
              Allowed on <span className="wrap">{page.embed_origins.join(', ')}</span>.
            </p>
          )}
          <div className="field">
            <h3>Script</h3>
            <span className="hint">Fits the height to the content.</span>
            <CodeToCopy text={scriptCode(application, page)} label="Script" />
          </div>
          <div className="field">
            <h3>Frame</h3>
            <span className="hint">Needs no script on your site.</span>
            <CodeToCopy text={frameCode(url, page.name)} label="Frame" />
          </div>
        </div>
      </Card>
    </>
  )
}

export function SharePage({ application, id }: { application: string; id: string }) {
  return (
    <PageFrame application={application} id={id} current="share">
      {(page) => <Shared application={application} page={page} />}
    </PageFrame>
  )
}
