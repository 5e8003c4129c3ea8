/** The request as a curl command or program, to copy. */
import { useState } from 'react'
import { baseUrl } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Code, CopyButton } from '../../components/copy.tsx'
import { Card } from '../../components/page.tsx'
import { curlOf, nylasOf, sdkOf } from './code.ts'
import { linkPart } from './link.ts'
import type { Operation } from './operations.ts'
import type { Filled, Request } from './request.ts'

export function CopyAs({ operation, filled, request }: { operation: Operation; filled: Filled; request: Request }) {
  const [shown, setShown] = useState('curl')
  const given = { filled, files: request.files }
  const nylas = nylasOf(baseUrl, operation, given)
  const ways: readonly (readonly [name: string, text: string])[] = [
    ['curl', curlOf(request)],
    ['Waypost SDK', sdkOf(baseUrl, operation, given)],
    ...(nylas === undefined ? [] : [['nylas (Node)', nylas] as const]),
  ]
  const [name, text] = ways.find(([each]) => each === shown) ?? ways[0] ?? ['', '']
  const link = `${window.location.origin}${window.location.pathname}${window.location.search}${linkPart(filled)}`
  return (
    <Card
      title="Code samples"
      actions={
        <>
          {ways.map(([each]) => (
            <Button key={each} small aria-pressed={each === name} onClick={() => setShown(each)}>
              {each}
            </Button>
          ))}
          <CopyButton text={text} label="Copy code" />
        </>
      }
    >
      <div className="card-body stack">
        <Code label={name} text={text} />
        <span className="actions">
          <span className="quiet small">Link to this request (without secrets)</span>
          <CopyButton text={link} label="Copy link" />
        </span>
      </div>
    </Card>
  )
}
