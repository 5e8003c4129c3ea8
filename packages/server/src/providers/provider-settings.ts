/**
 * What an operator sets for a provider. Each provider describes its own variables in its folder (`settings.ts`), and
 * `settings.ts` beside this file lists the providers; names begin with `WAYPOST_` and the kind.
 */
import type { ProviderKind } from '@waypost/contract'
import { z } from 'zod'
import type { ServerUrls } from './server-urls.ts'

/** The client that the sandbox's connector of a provider gets. */
export interface SandboxClient {
  settings: Record<string, string>
  clientSecret?: string | undefined
}

/** What the variables say. */
export interface ProviderSetup {
  /** One address in place of all hosts of the provider, such as a simulator's. */
  url?: string | undefined
  /** The same for its servers of mail, calendars and contacts. */
  servers?: ServerUrls | undefined
  /** Absent where its connectors have no client: the sandbox has none from the beginning then. */
  sandboxClient?: SandboxClient | undefined
}

export interface ProviderSettings {
  kind: ProviderKind
  /** The variables by their names, with the form of each. */
  variables: z.ZodRawShape
  /** The scopes that the sandbox's connector is fixed to; absent where the sandbox has none from the beginning. */
  sandboxScope?: readonly string[] | undefined
  /** What the environment says; it was checked before. */
  setupOf(env: Readonly<Record<string, string | undefined>>): ProviderSetup
}

/** Settings of a provider, with the values of its variables typed by their forms. */
export function defineProviderSettings<V extends z.ZodRawShape>({
  kind,
  variables,
  sandboxScope,
  setup,
}: {
  kind: ProviderKind
  variables: V
  sandboxScope?: readonly string[]
  setup(values: z.output<z.ZodObject<V>>): ProviderSetup
}): ProviderSettings {
  const schema = z.object(variables)
  return { kind, variables: schema.shape, sandboxScope, setupOf: (env) => setup(schema.parse(env)) }
}
