/** An index for housekeeping to find revoked tokens, as there is one for expired tokens. */
export const revokedTokens =
  'create index access_tokens_by_revocation on access_tokens (revoked_at) where revoked_at is not null;'
