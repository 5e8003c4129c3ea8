import { z } from 'zod'
import { CreatedAt, Id, line, selectParam } from './fields.ts'
import { route } from './route.ts'

export const Platform = z.enum(['web', 'desktop', 'js', 'ios', 'android']).meta({
  id: 'Platform',
  description:
    'Platform that users return to: `web` for a site, `desktop` for a program, `js` for a page that calls the API itself, `ios` and `android` for apps, which can use a custom URL scheme',
})
export type Platform = z.output<typeof Platform>

export const RedirectUriSettings = z
  .object({
    origin: line(512).optional().meta({
      description: 'Origin from which the page calls the API (CORS): https, or http for localhost. Required for `js`.',
    }),
    bundle_id: line(256).optional().meta({ description: 'Bundle id of the app; required for `ios`' }),
    app_store_id: line(256).optional().meta({ description: 'App Store id, for `ios`' }),
    team_id: line(256).optional().meta({ description: 'Apple team id, for `ios`' }),
    package_name: line(256).optional().meta({ description: 'Package name of the app; required for `android`' }),
    sha1_certificate_fingerprint: line(256).optional().meta({
      description: "SHA-1 fingerprint of the app's signing certificate; required for `android`",
    }),
  })
  .meta({ id: 'RedirectUriSettings', description: 'Platform-specific settings of a redirect URI' })
export type RedirectUriSettings = z.output<typeof RedirectUriSettings>

const SettingsInput = RedirectUriSettings.extend({
  sha_1_certificate_fingerprint: line(256).optional().meta({
    description: 'Alias of `sha1_certificate_fingerprint`, used by one published client',
  }),
})
  .transform(
    ({ sha_1_certificate_fingerprint: spelled, ...settings }): RedirectUriSettings => ({
      ...(spelled !== undefined && { sha1_certificate_fingerprint: spelled }),
      ...settings,
    }),
  )
  .meta({
    description:
      'Platform settings: `origin` for `js`; `bundle_id` for `ios`; `package_name` and `sha1_certificate_fingerprint` for `android`; none for `web` and `desktop`',
  })

export const RedirectUri = z
  .object({
    id: Id.meta({ description: 'Id of the redirect URI' }),
    platform: Platform.meta({ description: 'Platform that users return to' }),
    url: z.string().meta({ description: 'The URI, compared byte for byte at sign-in' }),
    settings: RedirectUriSettings.meta({ description: 'Platform settings; `{}` if there are none' }),
    created_at: CreatedAt,
  })
  .meta({ id: 'RedirectUri', description: 'A URI to which users can return after a hosted sign-in' })
export type RedirectUri = z.output<typeof RedirectUri>

const url = z.string().min(1).max(2048).meta({
  description:
    'https URL (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment, and without query unless the application allows it. Up to 2048 bytes.',
})

export const RedirectUriDraft = z
  .object({
    url,
    platform: Platform.default('web').meta({ description: 'Platform that users return to; default `web`' }),
    settings: SettingsInput.optional(),
  })
  .meta({ id: 'RedirectUriDraft', description: 'A new redirect URI' })
export type RedirectUriDraft = z.output<typeof RedirectUriDraft>

export const RedirectUriChange = RedirectUriDraft.extend({
  platform: Platform.meta({ description: 'Platform that users return to' }),
})
  .partial()
  .meta({ id: 'RedirectUriChange', description: 'Changes to a redirect URI. Absent fields stay unchanged.' })
export type RedirectUriChange = z.output<typeof RedirectUriChange>

const at = '/v3/applications/redirect-uris'
const alias = '/v3/applications/callback-uris'

export const redirectUris = {
  list: route({
    right: 'administration',
    method: 'GET',
    path: at,
    aliases: [alias],
    summary: 'List the redirect URIs of the application',
    description: 'Returns all of them, without pages.',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    list: 'whole',
  }),
  create: route({
    right: 'administration',
    method: 'POST',
    path: at,
    aliases: [alias],
    summary: 'Register a redirect URI',
    description:
      'An https URL (http for localhost and 127.0.0.1), or `scheme://deeplink` for ios and android. It is compared byte for byte when an end user signs in.',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriDraft,
    returns: RedirectUri,
    errors: ['conflict'],
  }),
  get: route({
    right: 'administration',
    method: 'GET',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Get one redirect URI',
    description: 'Includes its platform settings.',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Change a redirect URI',
    description: 'Absent fields stay unchanged; `settings` is replaced as a whole.',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriChange,
    returns: RedirectUri,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Remove a redirect URI',
    description: 'New sign-ins cannot use it anymore.',
    audience: 'application',
    errors: ['not_found'],
  }),
}
