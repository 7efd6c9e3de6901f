/**
 * What a computation gives for the latest inputs. It may take a while, so inputs that change meanwhile wait, and only the last of them is computed
 * next; until then the value before stays.
 */
export interface Latest<Value> {
  readonly value: Value | undefined
  readonly busy: boolean
  readonly problem: string | undefined
}

/** Called while a component is made: `inputs` is read in an effect, and again whenever what it read changes. */
export function latest<Inputs, Value>(
  inputs: () => Inputs,
  compute: (inputs: Inputs) => Promise<Value>,
): Latest<Value> {
  let value: Value | undefined = $state.raw()
  let busy = $state(true)
  let problem: string | undefined = $state()
  let waiting: { readonly inputs: Inputs } | undefined
  let running = false

  async function run(): Promise<void> {
    running = true
    busy = true
    while (waiting) {
      const { inputs } = waiting
      waiting = undefined
      try {
        value = await compute(inputs)
        problem = undefined
      } catch (error) {
        problem = (error as Error).message
      }
    }
    busy = false
    running = false
  }
  $effect(() => {
    waiting = { inputs: inputs() }
    if (!running) void run()
  })
  return {
    get value() {
      return value
    },
    get busy() {
      return busy
    },
    get problem() {
      return problem
    },
  }
}
