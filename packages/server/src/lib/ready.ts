/** What may be there already: then nothing waits for it, and what follows is done at once. */
export type Ready<T> = T | Promise<T>

/** Goes on with a value as soon as it is there. */
export const after = <T, R>(value: Ready<T>, next: (value: T) => Ready<R>): Ready<R> =>
  value instanceof Promise ? value.then(next) : next(value)
