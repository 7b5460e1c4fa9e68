import { Component, type ReactNode } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { go, paths } from './route.ts'

type Props = { children: ReactNode }

/** In place of pages that fail: what waits is safe, and the way on. A white page at sea would say that all is lost. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const again = (): void => this.setState({ failed: false })
    return (
      <main className="mx-auto grid max-w-xl gap-6 px-4 py-10">
        <h1 className="text-3xl">Something broke</h1>
        <Alert tone="bad">This page could not be shown. What was saved on this phone is still there.</Alert>
        <Button variant="primary" className="min-h-14 text-lg" onClick={again}>
          Try again
        </Button>
        <Button
          variant="outline"
          className="min-h-14 text-lg"
          onClick={() => {
            go(paths.home)
            again()
          }}
        >
          Back to the first page
        </Button>
      </main>
    )
  }
}
