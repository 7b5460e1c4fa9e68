// In a process of its own, what looks at pages: all in one were ended after twenty minutes on a busy machine.
import { programs, testProgram } from './programs.ts'

for (const name of programs.browser) testProgram(name)
