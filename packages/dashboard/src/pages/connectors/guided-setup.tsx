/** Step-by-step setup of a connector. Each step says what to do, where, and whether it is done. */
import type { Connector, ConnectorSetup, ConnectorTest, ProviderKind } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { ActionButton } from '../../components/dialog.tsx'
import { Icon } from '../../components/icons.tsx'
import { Time } from '../../components/time.tsx'
import { guideOf } from './guides.tsx'
import { needsClient } from './kinds.ts'
import { SettingsForm } from './settings-form.tsx'
import { type SetupState, useSetupState } from './setup-state.ts'

function Step({
  number,
  title,
  done,
  optional,
  folds,
  children,
}: {
  number: number
  title: string
  done: boolean
  optional?: boolean
  /** The step is collapsed once it is done. */
  folds?: boolean
  children: ReactNode
}) {
  const heading = (
    <h3>
      {title}
      {optional && <span className="quiet"> (optional)</span>}
    </h3>
  )
  return (
    <li>
      <span className={`step-mark ${done ? 'done' : ''}`}>
        {done ? <Icon name="check" /> : number}
        {done && <span className="hidden">Done</span>}
      </span>
      {folds && done ? (
        <details className="guide-step disclosure">
          <summary>{heading}</summary>
          <div className="stack">{children}</div>
        </details>
      ) : (
        <div className="guide-step stack">
          {heading}
          {children}
        </div>
      )}
    </li>
  )
}

function Checks({ result }: { result: ConnectorTest }) {
  return (
    <ul className="list checks">
      {result.checks.map(({ name, ok, message }) => (
        <li key={name}>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'passed' : 'failed'}</Badge>
          <span>
            <strong>{name}</strong>
            <span className="quiet wrap"> {message}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Test({ application, kind, state }: { application: string; kind: ProviderKind; state: SetupState }) {
  const { test } = state
  return (
    <>
      <p className="quiet small">Checks your client with the provider. No account is accessed.</p>
      <div>
        <ActionButton
          changes
          label="Test connector"
          busyLabel="Testing…"
          onAct={async () => state.storeTest((await api(application).connectors.test({ provider: kind })).data)}
        />
      </div>
      <div aria-live="polite" className="stack">
        {test && (
          <>
            <div className={`note ${test.isOutdated ? 'warn' : test.result.ok ? 'good' : 'bad'}`}>
              <strong>
                {test.isOutdated
                  ? 'The settings changed. Test again.'
                  : test.result.ok
                    ? 'All checks passed.'
                    : 'Some checks failed.'}
              </strong>
              <span className="small">
                Tested <Time at={test.at} />
              </span>
            </div>
            {!test.isOutdated && <Checks result={test.result} />}
          </>
        )}
      </div>
    </>
  )
}

/** Explains whether changes arrive by push. */
function PushNote({ setup }: { setup: ConnectorSetup }) {
  if (!setup.push || setup.push.reachable) return null
  return (
    <div className="note warn">
      Providers cannot reach this service because its base URL is not https, so it polls for changes. Set{' '}
      <code>WAYPOST_BASE_URL</code> to an https URL.
    </div>
  )
}

/** A step at the provider, marked as done by hand. */
function Registration({
  id,
  number,
  title,
  works,
  state,
  children,
}: {
  id: string
  number: number
  title: string
  works: boolean
  state: SetupState
  children: ReactNode
}) {
  // If the provider accepts the client, it was registered.
  const done = works || state.isTicked(id)
  return (
    <Step number={number} title={title} done={done} folds>
      {children}
      {!works && (
        <div>
          <Button
            small
            aria-label={`${done ? 'Not done yet' : 'Done'}: ${title}`}
            onClick={() => state.tick(id, !done)}
          >
            {done ? 'Not done yet' : 'Done'}
          </Button>
        </div>
      )}
    </Step>
  )
}

export function GuidedSetup({
  application,
  kind,
  connector,
  setup,
  fixedScopes,
}: {
  application: string
  kind: ProviderKind
  connector: Connector | undefined
  setup: ConnectorSetup | undefined
  fixedScopes: boolean
}) {
  const state = useSetupState(application, kind, connector)
  const guide = guideOf(kind, setup)
  const simulated = setup?.simulator.url !== null && setup !== undefined
  const hasClient =
    connector !== undefined && (!needsClient(kind) || kind === 'yahoo' || Boolean(connector.settings.client_id))
  const works = state.test?.result.ok === true && !state.test.isOutdated
  const register = simulated ? [] : guide.register
  let number = 0
  return (
    <ol className="steps guide">
      {register.map(({ id, title, body }) => (
        <Registration key={id} number={++number} {...{ id, title, works, state }}>
          {body}
        </Registration>
      ))}
      <Step
        number={++number}
        title={needsClient(kind) ? 'Enter the client and choose permissions' : 'Create the connector'}
        done={hasClient}
      >
        <SettingsForm
          key={`${connector?.updated_at ?? 0}-${state.saves}`}
          {...{ application, kind, connector, simulated, fixedScopes }}
          onSave={state.countSave}
        />
      </Step>
      {connector && (
        <Step number={++number} title="Test the connector" done={works}>
          <Test application={application} kind={kind} state={state} />
        </Step>
      )}
      {guide.push && setup?.push && (
        <Step
          number={++number}
          title="Receive changes immediately"
          optional
          done={setup.push.reachable && (kind !== 'google' || Boolean(connector?.settings.topic_name))}
        >
          <PushNote setup={setup} />
          {guide.push}
        </Step>
      )}
      <Step number={++number} title="Connect an account" done={false}>
        {guide.connect}
        {connector && (
          <div>
            <LinkButton small changes to={`/a/${application}/grants`}>
              Connect an account
            </LinkButton>
          </div>
        )}
      </Step>
    </ol>
  )
}
