import { programs, testProgram } from './programs.ts'

for (const name of programs.browser) testProgram(name)
