import { join } from 'node:path'
import { fromRoot } from './script.mjs'

/**
 * Node's flags and environment for a built program of the server, for little memory and a fast start. The caller's
 * environment has precedence. Measurements: docs/decisions/0017-built-server.md.
 * @param folder the folder of the build
 */
export const serverProgram = (
  name: 'main' | 'worker',
  folder: string,
): { args: string[]; env: Record<string, string> } => ({
  // Young generation, in MB per semi-space: V8 grows it to 16 during the start and seldom shrinks it.
  args: ['--max-semi-space-size=4', join(folder, `${name}.js`)],
  env: {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: fromRoot('.runtime', 'compile-cache'),
    // glibc has up to eight arenas per core, and raises its mmap threshold dynamically: with a fixed one, blocks above it
    // are returned to the system when they are freed.
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
})
