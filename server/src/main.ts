import { runProgram } from './run-program.ts'
import { startShop } from './start-shop.ts'

/** The web process, with everything embedded that no setting moves elsewhere. */
runProgram(startShop, (config) => `BeFAQT is ready: ${config.PUBLIC_URL}`)
