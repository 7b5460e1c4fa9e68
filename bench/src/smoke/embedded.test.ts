// In a process of its own, what needs no other program: all in one were ended after twenty minutes on a busy machine.
import { programs, testProgram } from './programs.ts'

for (const name of programs.embedded) testProgram(name)
