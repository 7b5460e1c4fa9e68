import { readConfig } from '#server/config/config.ts'
import { doctor, upgradeCheck } from '#server/doctor/doctor.ts'
import { type Finding, fault, secretFilter } from '#server/doctor/finding.ts'
import { print } from './command.ts'

const SIGNS = { ok: 'ok     ', note: 'note   ', warning: 'WARNING', fault: 'FAULT  ' }

/** How long a connection that hangs may keep the command from ending. */
const GOODBYE_MS = 2_000

/** Looks at all that the shop depends on. Returns the exit status. */
export const runDoctor = ({ deep, json }: { deep: boolean; json: boolean }): Promise<number> =>
  told((config) => doctor({ config, deep }), { deep }, json)

/**
 * Says what a start of this version would do to the database. Returns the exit status.
 * @param from a backup, or the folder of the backups
 */
export const runUpgradeCheck = (from: string | undefined, json: boolean): Promise<number> =>
  told((config) => upgradeCheck(config, from), {}, json)

type Looking = (config: ReturnType<typeof readConfig>) => AsyncGenerator<Finding>

/** Prints what is found, as it is found, or all of it as JSON at the end. Returns the exit status. */
async function told(look: Looking, more: object, json: boolean): Promise<number> {
  const clean = secretFilter(process.env)
  const findings: Finding[] = []
  for await (const found of findingsOf(look, clean)) {
    const { check, level, words, todo } = found
    const said = { check, level, words: clean(words), ...(todo === undefined ? {} : { todo: clean(todo) }) }
    findings.push(said)
    if (!json)
      print(`${SIGNS[level]} ${check}: ${said.words}${todo === undefined ? '' : `\n        ${said.todo}`}`)
  }
  const count = (of: Finding['level']): number => findings.filter(({ level }) => level === of).length
  const [faults, warnings] = [count('fault'), count('warning')]
  const isWell = faults + warnings === 0
  if (json) print(JSON.stringify({ ok: isWell, at: new Date().toISOString(), ...more, findings }, null, 2))
  else print(isWell ? 'Nothing needs you.' : `${faults} faults, ${warnings} warnings.`)
  setTimeout(() => process.exit(), GOODBYE_MS).unref()
  return isWell ? 0 : 1
}

async function* findingsOf(look: Looking, clean: (text: string) => string): AsyncGenerator<Finding> {
  let config: ReturnType<typeof readConfig>
  try {
    config = readConfig(process.env)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    yield {
      check: 'settings',
      ...fault(
        clean(words),
        'The shop does not start with it. Correct it, then ask again: nothing else was looked at.',
      ),
    }
    return
  }
  yield* look(config)
}
