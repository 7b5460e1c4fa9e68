import { useNavigation } from 'react-router'

/** A thin line across the top while the next page is fetched. */
export function ProgressBar() {
  const { state } = useNavigation()
  return (
    <div
      role="status"
      className="no-print pointer-events-none fixed inset-x-0 top-0 z-50 h-1 overflow-hidden"
    >
      {state !== 'idle' && (
        <>
          <span className="sr-only">Loading</span>
          <span aria-hidden="true" className="block h-full w-full origin-left animate-travel bg-lamp" />
        </>
      )}
    </div>
  )
}
