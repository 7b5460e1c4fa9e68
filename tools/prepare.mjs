import { runQuietly } from './child.mjs'
import { pinnedNode } from './node.mjs'
import { fromRoot, root } from './script.mjs'

/**
 * Installs Node and whatever a script needs. Progress goes to stderr; on a failure this process exits.
 * @param {'main' | 'worker' | 'build'} [what] the program to run, or all builds; without it only the packages
 * @returns the path of Node, and the arguments and environment to run the program
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
