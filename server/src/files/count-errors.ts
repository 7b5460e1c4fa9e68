import type { FileStore } from './port.ts'

/** The number of failed operations of the file store since the start. */
export type FileErrors = { count: number }

/** The same store, counting failures in `errors`. */
export function countErrors(store: FileStore, errors: FileErrors): FileStore {
  const counted = async <T>(doing: Promise<T>): Promise<T> => {
    try {
      return await doing
    } catch (error) {
      errors.count++
      throw error
    }
  }
  return {
    ...store,
    put: (key, bytes) => counted(store.put(key, bytes)),
    read: (key) => counted(store.read(key)),
    remove: (key) => counted(store.remove(key)),
  }
}
