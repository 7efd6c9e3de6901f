/** A page of the documentation: its text is in the page already; this adds the search, and folds the list of pages where it is narrow. */
import { mount } from "svelte"
import "../style.css"
import "./docs.css"
import Search from "./Search.svelte"

mount(Search, {
  target: document.getElementById("search")!,
  props: { root: document.documentElement.dataset.docs ?? "./" },
})

const list = document.querySelector<HTMLDetailsElement>(".pages details")!
const narrow = matchMedia("(max-width: 56rem)")
const fold = (): void => {
  list.open = !narrow.matches
}
fold()
narrow.addEventListener("change", fold)
document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest" })
