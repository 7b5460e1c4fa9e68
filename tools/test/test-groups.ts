/** Files of one process. More, and a processor has nothing to do while the last process ends. */
const MAX_FILES = 6

/**
 * Which test files run one after the other in one process: those of a folder of the server. Half of what a small test
 * of the server costs is to load the server and to open its first database. All others have a process of their own.
 * @param files paths in the order in which they are to run
 */
export function testGroups(files: readonly string[]): string[][] {
  const groups: string[][] = []
  let open: { folder: string; files: string[] } | undefined
  for (const file of files) {
    const folder = /^server\/src\/[^/]+\//.exec(file)?.[0]
    if (folder !== undefined && open?.folder === folder && open.files.length < MAX_FILES) {
      open.files.push(file)
      continue
    }
    const group = [file]
    groups.push(group)
    open = folder === undefined ? undefined : { folder, files: group }
  }
  return groups
}
