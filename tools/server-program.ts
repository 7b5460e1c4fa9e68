import { join } from 'node:path'
import { fromRoot } from './script.mjs'

/**
 * How a built program of the server is run, after the project's own Node: for little memory and a quick start. What the
 * environment says goes before. Figures: docs/decisions/0017-built-server.md.
 * @param folder the build that it is in
 */
export const serverProgram = (
  name: 'main' | 'worker',
  folder: string,
): { args: string[]; env: Record<string, string> } => ({
  // Young objects, in MB per half: V8 takes 16 of them at the start's many objects and seldom gives any back.
  args: ['--max-semi-space-size=4', join(folder, `${name}.js`)],
  env: {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: fromRoot('.runtime', 'compile-cache'),
    // glibc keeps what it frees apart for up to eight threads a core, and learns to keep large blocks, too: a block that
    // is larger than the threshold goes back to the system when it is freed.
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
})
