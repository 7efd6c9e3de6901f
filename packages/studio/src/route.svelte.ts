/** Where one is, by the address behind the hash: a step of the workbench, or a page of the lab. */

export const STEPS = ["data", "model", "learn", "understand", "use"] as const
export type StepName = (typeof STEPS)[number]

export type Route =
  | { readonly kind: "step"; readonly step: StepName }
  | { readonly kind: "lab"; readonly page: string | undefined }

export function routeOf(hash: string): Route {
  const [first = "", second] = hash.replace(/^#\/?/, "").replace(/\?.*$/, "").split("/")
  if (first === "lab") return { kind: "lab", page: second ? decodeURIComponent(second) : undefined }
  const step = STEPS.find(name => name === first)
  return { kind: "step", step: step ?? "data" }
}

class Place {
  route: Route = $state(routeOf(location.hash))

  constructor() {
    addEventListener("hashchange", () => {
      this.route = routeOf(location.hash)
      scrollTo(0, 0)
      document.querySelector<HTMLElement>("main h1")?.focus()
    })
  }
}

export const place = new Place()

export function go(step: StepName): void {
  location.hash = `#/${step}`
}
