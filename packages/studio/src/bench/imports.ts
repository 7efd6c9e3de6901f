/** The imports of a piece of code. */
import { MAKERS } from "suffice/describe"

/** The functions of each module. */
const FROM: Readonly<Record<string, readonly string[]>> = {
  suffice: [...new Set([...MAKERS, "auto", "em", "fit", "sequences"])].sort(),
  "suffice/learn": ["bayes", "onlineEm", "sdem"],
  "suffice/measure": ["candidates", "choose", "evaluate", "learnersFor", "split"],
  "suffice-files": ["openTable"],
}

export function importsOf(code: string): string {
  // names in quotes are not calls
  const called = new Set(
    [...code.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/(?<![.\w])(\w+)\(/g)].map(match => match[1]),
  )
  return Object.entries(FROM)
    .map(([module, names]) => [module, names.filter(name => called.has(name))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([module, names]) => `import { ${names.join(", ")} } from ${JSON.stringify(module)}`)
    .join("\n")
}
