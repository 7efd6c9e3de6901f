/**
 * Completion for shells, made from the command line as it is documented (program.ts): commands, their options, and the words that
 * an option takes. Everything else is a file.
 */
import type { Command, Option } from "commander"
import { type Shell, takesFile, wordsOf } from "./options.ts"

interface Described {
  readonly name: string
  readonly summary: string
  readonly options: readonly {
    readonly flags: readonly string[]
    readonly summary: string
    /** Words that it takes; empty: something else; undefined: nothing. */
    readonly words: readonly string[] | undefined
    /** A file may stand there as well. */
    readonly orFile?: boolean
  }[]
}

export function completion(root: Command, shell: Shell): string {
  const commands = root.commands
    .filter(command => command.name() !== "help")
    .map(
      (command): Described => ({
        name: command.name(),
        summary: command.summary(),
        options: [
          ...command.options.map(described),
          { flags: ["-h", "--help"], summary: "print help", words: undefined },
        ],
      }),
    )
  switch (shell) {
    case "bash":
      return bash(commands)
    case "zsh":
      return zsh(commands)
    case "fish":
      return fish(commands)
    default:
      return shell satisfies never
  }
}

function described(option: Option): Described["options"][number] {
  const flags = [option.short, option.long].filter(flag => flag !== undefined)
  const takes = option.required || option.optional
  return {
    flags,
    summary: option.description,
    words: takes ? wordsOf(option.parseArg) : undefined,
    orFile: takesFile(option.parseArg),
  }
}

function bash(commands: readonly Described[]): string {
  const words = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, words }) =>
      words === undefined || words.length === 0
        ? []
        : [`    ${flags.map(flag => `${name}:${flag}`).join("|")}) words=${quoted(words.join(" "))} ;;`],
    ),
  )
  const files = commands.flatMap(({ name, options }) => {
    const free = options.flatMap(({ flags, words }) => (words?.length === 0 ? flags : []))
    return free.length === 0 ? [] : [`    ${free.map(flag => `${name}:${flag}`).join("|")}) return ;;`]
  })
  const options = commands.map(
    ({ name, options }) =>
      `      ${name}) words=${quoted(options.flatMap(({ flags }) => flags).join(" "))} ;;`,
  )
  return `# suffice completion bash > ~/.local/share/bash-completion/completions/suffice
_suffice() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), "help", "--help", "--version"].join(" "))} -- "$current"))
    return
  fi
  case "$command:$previous" in
${[...words, ...files].join("\n")}
  esac
  if [ -z "$words" ] && [[ "$current" == -* ]]; then
    case "$command" in
${options.join("\n")}
    esac
  fi
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _suffice suffice
`
}

function zsh(commands: readonly Described[]): string {
  const summaries = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`)
  const cases = commands.map(({ name, options }) => {
    const specs = options.flatMap(({ flags, summary, words, orFile }) =>
      flags.map(flag => {
        const takes =
          words === undefined
            ? ""
            : words.length === 0
              ? ":value:_files"
              : orFile
                ? `:value:{ compadd -- ${words.join(" ")}; _files }`
                : `:value:(${words.join(" ")})`
        return quoted(`*${flag}[${summary.replaceAll("\\", "\\\\").replace(/[[\]:]/g, "\\$&")}]${takes}`)
      }),
    )
    return `    ${name}) _arguments ${specs.join(" ")} '*:file:_files' ;;`
  })
  return `#compdef suffice
# suffice completion zsh > "\${fpath[1]}/_suffice"
_suffice() {
  local -a commands=(
${summaries.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _suffice ]; then _suffice "$@"; else compdef _suffice suffice; fi
`
}

function fish(commands: readonly Described[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c suffice -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
    ...options.map(({ flags, summary, words, orFile }) => {
      const names = flags.map(flag => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
      const takes =
        words === undefined
          ? ""
          : words.length === 0
            ? " -r"
            : ` ${orFile ? "-r" : "-x"} -a ${fishQuoted(words.join(" "))}`
      return `complete -c suffice -n '__fish_seen_subcommand_from ${name}' ${names.join(" ")} -d ${fishQuoted(summary)}${takes}`
    }),
  ])
  return `# suffice completion fish > ~/.config/fish/completions/suffice.fish\n${lines.join("\n")}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Inside single quotes fish knows \\' and \\\\. */
function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`
}
