/** Topics are shared by documents: more topics than rows have nothing in common to find. */
import type { Notice } from "../../contract/notice.ts"
import { show } from "../../errors.ts"

export const enoughDocuments: Notice = {
  data({ parts }, { rows }) {
    const counts = new Map<string, number>()
    for (const { leaf, columns } of parts) {
      if (!leaf.topics) continue
      const { count, shared } = leaf.topics
      const [{ name }] = columns
      counts.set(name, (counts.get(name) ?? 0) + leaf.shape.slots * (count - shared) + shared)
    }
    return [...counts].flatMap(([column, count]) => {
      if (count <= rows) return []
      const message = `${show(column)} has ${count} topics, but there are ${rows} documents. A topic is what several documents have in common. Ask for fewer topics, or bring more documents.`
      return [{ code: "many-topics", column, message }]
    })
  },
}
