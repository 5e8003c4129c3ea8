/** First steps with a new application. Collapsed once they are done or the user collapsed them. */
import { useState } from 'react'
import { api } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { useDestinations } from '../../destinations.ts'
import { useConnectors, useData } from '../../queries.ts'

interface Step {
  title: string
  text: string
  done: boolean
  to: string
  act: string
}

const stepsOf = (
  at: string,
  done: { connector: boolean; grant: boolean; key: boolean; destination: boolean },
): readonly Step[] => [
  {
    title: 'Set up a connector',
    text: 'It lets people connect accounts of one provider.',
    done: done.connector,
    to: `${at}/connectors`,
    act: 'Connectors',
  },
  {
    title: 'Connect an account',
    text: 'A grant is one connected mailbox or calendar.',
    done: done.grant,
    to: `${at}/grants`,
    act: 'Grants',
  },
  {
    title: 'Create an API key',
    text: 'Your service uses it to call the API.',
    done: done.key,
    to: `${at}/api-keys`,
    act: 'API keys',
  },
  {
    title: 'Add a destination',
    text: 'A webhook or channel receives notifications when messages and events change.',
    done: done.destination,
    to: `${at}/webhooks`,
    act: 'Destinations',
  },
]

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="steps">
      {steps.map(({ title, text, done, to, act }, index) => (
        <li key={title}>
          <span className={`step-mark ${done ? 'done' : ''}`}>
            {done ? <Icon name="check" /> : index + 1}
            {done && <span className="hidden">Done</span>}
          </span>
          <div>
            <h3>{title}</h3>
            <p className="quiet small">{text}</p>
          </div>
          <LinkButton changes to={to} small>
            {act}
          </LinkButton>
        </li>
      ))}
    </ol>
  )
}

/** Whether the user collapsed it in this browser. */
function useFolded(application: string) {
  const name = `waypost-folded-${application}`
  const [folded, setFolded] = useState(() => localStorage.getItem(name) === 'yes')
  return {
    folded,
    fold(next: boolean) {
      if (next) localStorage.setItem(name, 'yes')
      else localStorage.removeItem(name)
      setFolded(next)
    },
  }
}

export function GettingStarted({ application, grants }: { application: string; grants: number }) {
  const connectors = useConnectors(application)
  const destinations = useDestinations(application)
  const keys = useData(['api-keys', application], (signal) =>
    api().apiKeys.list({ application_id: application, signal }),
  )
  const { folded, fold } = useFolded(application)
  const [opened, setOpened] = useState(false)
  // Steps are not shown as missing before their data is loaded.
  if (!connectors.data || !destinations.data || !keys.data) return null
  const steps = stepsOf(`/a/${application}`, {
    connector: connectors.data.length > 0,
    grant: grants > 0,
    key: keys.data.some(({ status }) => status === 'active'),
    destination: destinations.data.length > 0,
  })
  const left = steps.filter(({ done }) => !done)
  const [next] = left
  const isOpen = left.length === 0 ? opened : !folded
  return (
    <details
      className="card started"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open === isOpen) return
        if (left.length === 0) setOpened(open)
        else fold(!open)
      }}
    >
      <summary>
        <h2>Getting started</h2>
        <span className="quiet small">
          {next
            ? `${steps.length - left.length} of ${steps.length} done. Next: ${next.title.toLowerCase()}`
            : 'All done'}
        </span>
      </summary>
      <Steps steps={steps} />
    </details>
  )
}
