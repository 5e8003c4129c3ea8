/** Replaces `@scalar/types/entities`, of which one list is used; the rest would load a schema library. */
export const pkceOptions = ['SHA-256', 'plain', 'no'] as const
