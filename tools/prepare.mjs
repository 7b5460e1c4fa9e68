import { runQuietly } from './child.mjs'
import { pinnedNode } from './node.mjs'
import { fromRoot, root } from './script.mjs'

/**
 * Puts Node and all that a script stands on in place. What is done is told on stderr; when it fails, this process ends.
 * @param {'main' | 'worker' | 'build'} [what] the program to run, or all builds; only the packages without it
 * @returns the path of Node, and how it runs the program
 */
export const prepare = async (what) => {
  const node = await pinnedNode()
  const { status, output } = await runQuietly(
    node,
    [fromRoot('tools', 'prepare.ts'), ...(what ? [what] : [])],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (status !== 0) process.exit(status)
  /** @type {{ args: string[], env: Record<string, string> }} */
  const { args, env } = output === '' ? { args: [], env: {} } : JSON.parse(output)
  return { node, args, env }
}
