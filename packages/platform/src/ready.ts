/** A value, or a promise of it. Used between authentication and the handlers of hot reads, where most values are cached. */
export type Ready<T> = T | Promise<T>

/** Continues with a value: at once, or when its promise resolves. */
export const after = <T, R>(value: Ready<T>, next: (value: T) => Ready<R>): Ready<R> =>
  value instanceof Promise ? value.then(next) : next(value)
