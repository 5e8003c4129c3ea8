/** The settings of all providers that have some. */
import { ewsSettings } from './ews/settings.ts'
import { googleSettings } from './google/settings.ts'
import { icloudSettings } from './icloud/settings.ts'
import { microsoftSettings } from './microsoft/settings.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { yahooSettings } from './yahoo/settings.ts'
import { zoomSettings } from './zoom/settings.ts'

export const providerSettings: readonly ProviderSettings[] = [
  googleSettings,
  microsoftSettings,
  icloudSettings,
  yahooSettings,
  ewsSettings,
  zoomSettings,
]

/** The scopes that the sandbox's connectors are fixed to, by provider. */
export const sandboxScopes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  providerSettings.flatMap(({ kind, sandboxScope }) => (sandboxScope ? [[kind, sandboxScope]] : [])),
)
