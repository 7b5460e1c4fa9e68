import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fromRoot } from '../script.mjs'
import { lint } from './lint.ts'

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** Lints a project of one file in a folder at `place` below a temporary one. */
async function lintAt(place: string, source: string): Promise<{ status: number | null; output: string }> {
  const temporary = await mkdtemp(join(tmpdir(), 'befaqt-linted-'))
  const root = join(temporary, place)
  try {
    await mkdir(join(root, 'part'), { recursive: true })
    await mkdir(join(root, 'node_modules/@biomejs'), { recursive: true })
    await symlink(fromRoot('node_modules/@biomejs/biome'), join(root, 'node_modules/@biomejs/biome'))
    await cp(fromRoot('biome.json'), join(root, 'biome.json'))
    await writeFile(join(root, 'package.json'), json({ name: 'whole', private: true }))
    await writeFile(join(root, 'part/package.json'), json({ name: 'part', dependencies: { known: '1.0.0' } }))
    await writeFile(join(root, 'part/one.ts'), source)
    return await lint(root, temporary)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const good = "import { thing } from 'known'\n\nexport const two = thing + 1\n"
const undeclared = good.replace('known', 'unknown')

for (const place of ['plain', 'with a space', 'été', '.hidden/project', '.cache/project', '.git/é/project'])
  test(`a project in "${place}" is linted, and its errors are found`, async () => {
    const passed = await lintAt(place, good)
    assert.equal(passed.status, 0, passed.output)
    const failed = await lintAt(place, undeclared)
    assert.equal(failed.status, 1)
    assert.match(failed.output, /The current dependency isn't specified|noUndeclaredDependencies/)
    assert.doesNotMatch(failed.output, /no package\.json file was found/)
  })
