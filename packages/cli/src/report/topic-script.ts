/**
 * What makes the page of topics answer: a topic is chosen on the map or in the list, and λ by a slider; the table of words follows.
 *
 *     relevance = λ ln φ + (1 − λ) ln(φ / p)
 *
 * It runs in a browser, as text of the page: no names from outside. Without it the page shows the same numbers in tables.
 */
export const TOPIC_SCRIPT = `
"use strict";
(() => {
  const { topics, shown } = JSON.parse(document.getElementById("topic-words").textContent);
  const explorer = document.getElementById("explorer");
  const select = document.getElementById("topic");
  const slider = document.getElementById("lambda");
  const written = document.getElementById("lambda-value");
  const body = document.getElementById("words-of-topic");
  const heading = document.getElementById("words-heading");
  const marks = [...document.querySelectorAll("[data-topic]")];
  const percent = share => (100 * share).toFixed(share < 0.001 ? 3 : 2) + " %";
  const cell = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  function draw() {
    const lambda = Number(slider.value);
    const chosen = Number(select.value);
    written.textContent = lambda.toFixed(2);
    heading.textContent = "Topic " + chosen + ": its most relevant words";
    const relevance = ([, own, all]) => lambda * Math.log(own) + (1 - lambda) * Math.log(own / all);
    const words = [...topics[chosen]].sort((a, b) => relevance(b) - relevance(a)).slice(0, shown);
    const longest = Math.max(...words.map(([, own, all]) => Math.max(own, all)));
    body.replaceChildren(...words.map(([word, own, all]) => {
      const row = cell("tr");
      const name = cell("th", word);
      name.scope = "row";
      const bars = cell("td");
      bars.className = "bars";
      for (const [kind, value] of [["own", own], ["all", all]]) {
        const bar = cell("span");
        bar.className = kind;
        bar.style.width = (100 * value / longest).toFixed(1) + "%";
        bars.append(bar);
      }
      const numbers = [percent(own), percent(all), (own / all).toFixed(1) + " ×"].map(text => {
        const made = cell("td", text);
        made.className = "n";
        return made;
      });
      row.append(name, bars, ...numbers);
      return row;
    }));
    for (const mark of marks) mark.setAttribute("aria-pressed", String(Number(mark.dataset.topic) === chosen));
  }
  function choose(topic) {
    select.value = topic;
    draw();
  }
  for (const mark of marks) {
    mark.addEventListener("click", () => choose(mark.dataset.topic));
    mark.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(mark.dataset.topic);
    });
  }
  select.addEventListener("change", draw);
  slider.addEventListener("input", draw);
  explorer.hidden = false;
  draw();
})();
`
