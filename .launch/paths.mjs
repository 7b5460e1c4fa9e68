import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's own folder, wherever it was put. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Absolute path of a file of the project.
 * @param {string[]} parts
 */
export const inRoot = (...parts) => join(root, ...parts)
