/**
 * Zoom's scopes. They are fixed when the app is created at Zoom, and a sign-in requests none. Each entry is a granular
 * scope and the classic one (https://developers.zoom.us/docs/integrations/oauth-scopes-granular/).
 */

/** Identifies the account. */
export const userScopes: readonly string[] = ['user:read:user', 'user:read']

export const meetingScopes = {
  create: ['meeting:write:meeting', 'meeting:write'],
  remove: ['meeting:delete:meeting', 'meeting:write'],
} as const satisfies Record<string, readonly string[]>
