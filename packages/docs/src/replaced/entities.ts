/** In place of `@scalar/types/entities`, of which one list is used; the rest brings a library of schemas along. */
export const pkceOptions = ['SHA-256', 'plain', 'no'] as const
