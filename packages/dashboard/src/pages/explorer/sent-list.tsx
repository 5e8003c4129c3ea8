/** Requests sent from the explorer, to view and send again. */
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import type { SentRequest } from './history.ts'

export function SentList({
  sent,
  onOpen,
  onClear,
}: {
  sent: readonly SentRequest[]
  onOpen(sent: SentRequest): void
  onClear(): void
}) {
  if (sent.length === 0) return null
  return (
    <Card
      title="History"
      lead="Stored in this tab only, without secrets, until you sign out."
      actions={
        <Button small onClick={onClear}>
          Clear
        </Button>
      }
    >
      <ul className="list" aria-label="History">
        {sent.map((each, index) => (
          <li key={`${each.at} ${index}`} className="split">
            <span className="actions">
              <Badge plain tone={each.status < 400 ? 'good' : 'bad'}>
                {each.status}
              </Badge>
              <code>{each.operation}</code>
              <span className="quiet small">
                <Time at={each.at} />
              </span>
            </span>
            <Button small aria-label={`Load again: ${each.operation}`} onClick={() => onOpen(each)}>
              Load again
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
