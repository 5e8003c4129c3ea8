import { z } from 'zod'
import { Id, line, selectParam, Timestamp } from './fields.ts'
import { route } from './route.ts'

export const Platform = z.enum(['web', 'desktop', 'js', 'ios', 'android']).meta({ id: 'Platform' })
export type Platform = z.output<typeof Platform>

export const RedirectUriSettings = z
  .object({
    origin: line(512).optional(),
    bundle_id: line(256).optional(),
    app_store_id: line(256).optional(),
    team_id: line(256).optional(),
    package_name: line(256).optional(),
    sha1_certificate_fingerprint: line(256).optional(),
  })
  .meta({ id: 'RedirectUriSettings' })
export type RedirectUriSettings = z.output<typeof RedirectUriSettings>

const SettingsInput = RedirectUriSettings.extend({
  sha_1_certificate_fingerprint: line(256).optional().meta({ description: 'What one published client writes' }),
})
  .transform(
    ({ sha_1_certificate_fingerprint: spelled, ...settings }): RedirectUriSettings => ({
      ...(spelled !== undefined && { sha1_certificate_fingerprint: spelled }),
      ...settings,
    }),
  )
  .meta({
    description: '`origin` for js; `bundle_id` for ios; `package_name` and `sha1_certificate_fingerprint` for android',
  })

export const RedirectUri = z
  .object({ id: Id, platform: Platform, url: z.string(), settings: RedirectUriSettings, created_at: Timestamp })
  .meta({ id: 'RedirectUri' })
export type RedirectUri = z.output<typeof RedirectUri>

export const RedirectUriDraft = z
  .object({ url: z.string().min(1).max(2048), platform: Platform.default('web'), settings: SettingsInput.optional() })
  .meta({ id: 'RedirectUriDraft' })
export type RedirectUriDraft = z.output<typeof RedirectUriDraft>

export const RedirectUriChange = z
  .object({
    url: z.string().min(1).max(2048).optional(),
    platform: Platform.optional(),
    settings: SettingsInput.optional(),
  })
  .meta({ id: 'RedirectUriChange' })
export type RedirectUriChange = z.output<typeof RedirectUriChange>

const at = '/v3/applications/redirect-uris'
const alias = '/v3/applications/callback-uris'

export const redirectUris = {
  list: route({
    method: 'GET',
    path: at,
    aliases: [alias],
    summary: 'List the redirect URIs of the application',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    list: 'whole',
  }),
  create: route({
    method: 'POST',
    path: at,
    aliases: [alias],
    summary: 'Register a redirect URI',
    description:
      'An https address (http for localhost and 127.0.0.1), or `scheme://deeplink` for ios and android. It is compared byte for byte when an end user signs in.',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriDraft,
    returns: RedirectUri,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Get one redirect URI',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Change a redirect URI',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriChange,
    returns: RedirectUri,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Remove a redirect URI',
    audience: 'application',
    errors: ['not_found'],
  }),
}
