/** Housekeeping finds tokens that were revoked by an index, as it finds those that expired. */
export const revokedTokens =
  'create index access_tokens_by_revocation on access_tokens (revoked_at) where revoked_at is not null;'
