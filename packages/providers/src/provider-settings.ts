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

/** The values of the variables. */
export interface ProviderSetup {
  /** One URL that replaces all hosts of the provider, such as a simulator. */
  url?: string | undefined
  /** The same for its servers of mail, calendars and contacts. */
  servers?: ServerUrls | undefined
  /** Absent if its connectors have no client; the sandbox then has no connector at first. */
  sandboxClient?: SandboxClient | undefined
}

export interface ProviderSettings {
  kind: ProviderKind
  /** The variables by name, with their schemas. */
  variables: z.ZodRawShape
  /** The scopes of the sandbox's connector; absent if the sandbox has no connector at first. */
  sandboxScope?: readonly string[] | undefined
  /** The setup from the environment, which was checked before. */
  setupOf(env: Readonly<Record<string, string | undefined>>): ProviderSetup
}

/** Settings of a provider; the values of its variables are typed by their schemas. */
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
