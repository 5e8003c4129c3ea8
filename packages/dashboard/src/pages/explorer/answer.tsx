/** The exact response, and its messages rendered. */
import { Badge } from '../../components/badge.tsx'
import { Code, CopyButton, json } from '../../components/copy.tsx'
import { Card } from '../../components/page.tsx'
import { count } from '../../format.ts'
import { Letters, lettersIn } from './messages.tsx'
import type { Answer } from './request.ts'

export function ShownAnswer({ answer }: { answer: Answer }) {
  const letters = lettersIn(answer.json)
  const text = answer.json === undefined ? answer.text || '(empty)' : json(answer.json)
  return (
    <>
      <Card
        title="Response"
        actions={
          <>
            <Badge plain tone={answer.status < 400 ? 'good' : 'bad'}>
              {answer.status}
            </Badge>
            <span className="quiet small">{count(answer.milliseconds)} ms</span>
            {!answer.file && <CopyButton text={text} label="Copy response" />}
          </>
        }
      >
        <div className="card-body stack">
          {answer.file ? (
            <a className="button" href={answer.file.url} download={answer.file.name}>
              Save the file ({count(answer.file.bytes)} bytes)
            </a>
          ) : (
            <Code label="Response body" text={text} />
          )}
          <details className="disclosure">
            <summary>Headers ({answer.headers.length})</summary>
            <Code label="Response headers" text={answer.headers.map((each) => each.join(': ')).join('\n')} />
          </details>
          {answer.requestId && (
            <span className="quiet small">
              Request ID <code>{answer.requestId}</code>
            </span>
          )}
        </div>
      </Card>
      {letters.length > 0 && (
        <Card title="Rendered messages">
          <Letters letters={letters} />
        </Card>
      )}
    </>
  )
}
