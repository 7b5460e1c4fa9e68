import type { TestStage } from './stages.ts'

/** Test files that run one after the other in one process. */
export type TestGroup = { stage: TestStage; files: string[] }

/**
 * Files of one process. To load the server and to open its first database costs 3 s of processor time, the second shop in
 * a process 0.3 s. With more files a processor has nothing to do while the last process ends.
 */
const MAX_FILES = 10

/** Programs that only measure, each run once: nothing that the shop promises is tested by them alone. */
const MEASURES = /^bench\/src\/smoke\//

/** After so long they are not begun: a slow machine needs the rest of its 90 minutes for what the shop promises. */
const LATE_MS = 60 * 60_000

/** Why files are not run `ms` after the beginning, as a sentence; undefined: they are. Source: docs/decisions/0159. */
export const lateFor = (files: readonly string[], ms: number): string | undefined =>
  ms > LATE_MS && files.every((file) => MEASURES.test(file))
    ? `the run took ${Math.round(ms / 60_000)} minutes until here, and these only measure`
    : undefined

/** Packages whose short test files share processes. */
const SHARED = /^(server|web|domain|provenance)\/src\//

/**
 * Test files that take the longest, as paths without their ending, the longest first. Each has a process of its own, and
 * they begin before the others of their stage: one that began last would run alone, with the other processors idle.
 */
export const longest: readonly string[] = [
  'bench/src/smoke/postgres',
  'server/src/backup/welcome/restore',
  'bench/src/smoke/embedded',
  'server/src/backup/refused',
  'server/src/doctor/drill',
  'bench/src/smoke/browser',
  'bench/src/chaos',
  'server/src/orders/contention',
  'server/src/anchoring/kill',
  'server/src/anchoring/network',
  'server/src/anchoring/proofs-over-time',
  'server/src/anchoring/restore',
  'server/src/anchoring/two-leaders',
  'server/src/orders/kill',
  'e2e/journeys/restore-bare',
  'e2e/journeys/rebuild',
  'e2e/journeys/upgrade',
  'e2e/journeys/box-page',
  'e2e/journeys/accessible',
  'e2e/journeys/account-profile',
  'e2e/journeys/manage-lists',
  'e2e/journeys/devices',
  'e2e/journeys/account-screens',
  'e2e/journeys/manage-drafts',
  'e2e/journeys/box-dishonest',
]

/**
 * The order in which groups of test files run, several at a time. First the long ones of the unit tests, during which the
 * sample shop for the journeys is made; then the journeys, half of which have a slow network to wait for, spread among the
 * tests of the server, which keep a processor busy; then what is short; at last what only measures.
 */
export function inRunOrder(files: Record<TestStage, readonly string[]>): TestGroup[] {
  const [all, journeys] = [testGroups('unit', files.unit), testGroups('browser', files.browser)]
  const measures = all.filter((group) => MEASURES.test(group.files[0] ?? ''))
  const units = all.filter((group) => !measures.includes(group))
  const short = units.filter((group) => !isLong(group))
  return [
    ...units.filter(isLong),
    ...journeys.filter(isLong),
    ...spread(
      journeys.filter((group) => !isLong(group)),
      short.filter(isOfServer),
    ),
    ...testGroups('contract', files.contract),
    ...short.filter((group) => !isOfServer(group)),
    ...measures,
  ]
}

const isOfServer = ({ files }: TestGroup): boolean => files[0]?.startsWith('server/') === true

/** Both lists in one, each in its order and evenly over the whole. */
function spread<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((list) =>
    list.map((item, i) => ({ item, at: (i + 1) / (list.length + 1) })),
  )
  return placed.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

const rank = (file = ''): number => longest.indexOf(file.replace(/\.(test|e2e)\.tsx?$/, ''))
const isLong = ({ files }: TestGroup): boolean => rank(files[0]) >= 0

/**
 * Short test files of a package share a process: most of what a small test of the server costs is to load the server and
 * to open its first database, and a test of one function takes less time than to start Node. All others have a process of
 * their own.
 */
function testGroups(stage: TestStage, files: readonly string[]): TestGroup[] {
  const groups: TestGroup[] = []
  let open: { package: string; files: string[] } | undefined
  for (const file of files.toSorted((a, b) => rank(a) - rank(b))) {
    const name = rank(file) < 0 ? SHARED.exec(file)?.[0] : undefined
    if (name !== undefined && open?.package === name && open.files.length < MAX_FILES) {
      open.files.push(file)
      continue
    }
    const group = { stage, files: [file] }
    groups.push(group)
    open = name === undefined ? undefined : { package: name, files: group.files }
  }
  return groups
}
