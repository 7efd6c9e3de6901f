"""topics.json: coherence of topics, given as lists of words, most probable first, over texts.

    npmi      mean over pairs of  ln(p(v, w) / (p(v) p(w))) / −ln p(v, w);   p: shares of documents
    u_mass    mean over pairs, w before v, of  ln((p(v, w) + ε) / p(w));   p: shares of documents, ε = 1e-12
    c_v       mean over v of the cosine between u_v and Σ_w u_w;   u_v = (nlr(v, w))_w,  nlr(v, w) = ln((p(v, w) + ε) / (p(v) p(w))) / −ln(p(v, w) + ε),
              p: shares of sliding windows of 110 words; a shorter text is one window

gensim's CoherenceModel (u_mass; c_npmi with a window that holds every text; c_v), checked against the formulas in plain Python. gensim adds ε to p(v, w) in c_npmi
as well; the topics of `npmi` have no pair that never meets, so that it does not matter. Its sliding window forgets a word as soon as one of two occurrences leaves it, so
no word of a topic occurs twice in a text of more than one window.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, write

import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models.coherencemodel import CoherenceModel

rng = np.random.default_rng(20241018)
EPSILON, WINDOW = 1e-12, 110
words = [f"w{i:02}" for i in range(40)]

# Texts mostly out of one of four groups of twelve words that overlap a little: of 6 to 100 words, and every third of up to 290, in which other words fill the gaps.
texts = []
for d in range(48):
    group = (np.arange(12) + 9 * (d % 4)) % len(words)
    p = np.full(len(words), 0.25 / len(words))
    p[group] += 0.75 * rng.dirichlet(np.full(len(group), 0.7))
    p /= p.sum()
    if d % 3:
        texts.append([words[w] for w in rng.choice(len(words), int(rng.integers(6, 101)), p=p)])
    else:
        text = [f"f{rng.integers(60):02}" for _ in range(rng.integers(WINDOW + 1, 291))]
        chosen = rng.choice(len(words), 20, replace=False, p=p)
        for place, w in zip(rng.choice(len(text), 20, replace=False), chosen):
            text[place] = words[w]
        texts.append(text)

# two words that never meet
texts[1].append("solo")
texts[2].append("lone")

together = [[words[w] for w in (9 * g + np.arange(8)) % len(words)] for g in range(4)]
apart = [["w00", "solo", "w05", "lone", "w11"], ["w39", "w01", "w18", "w27", "w30"]]


def shares(topic, windows):
    sets = [set(window) for window in windows]
    n = len(sets)
    return [[sum(v in s and w in s for s in sets) / n for w in topic] for v in topic]


def windows_of(text):
    return [text[s : s + WINDOW] for s in range(max(len(text) - WINDOW + 1, 1))]


def by_npmi(topic):
    p = shares(topic, texts)
    pairs = [(i, j) for i in range(len(topic)) for j in range(i)]
    return np.mean([np.log(p[i][j] / (p[i][i] * p[j][j])) / -np.log(p[i][j]) for i, j in pairs])


def by_umass(topic):
    p = shares(topic, texts)
    return np.mean([np.log((p[i][j] + EPSILON) / p[j][j]) for i in range(len(topic)) for j in range(i)])


def by_cv(topic):
    p = np.array(shares(topic, [window for text in texts for window in windows_of(text)]))
    u = np.log((p + EPSILON) / np.outer(np.diag(p), np.diag(p))) / -np.log(p + EPSILON)
    whole = u.sum(axis=0)
    return np.mean([v @ whole / (np.linalg.norm(v) * np.linalg.norm(whole)) for v in u])


def gensims(measure, topics, **options):
    dictionary = Dictionary(texts)
    given = (
        {"corpus": [dictionary.doc2bow(text) for text in texts]} if measure == "u_mass" else {"texts": texts}
    )
    model = CoherenceModel(
        topics=topics,
        dictionary=dictionary,
        coherence=measure,
        topn=len(topics[0]),
        processes=1,
        **given,
        **options,
    )
    return model.get_coherence_per_topic()


assert all(min(min(row) for row in shares(topic, texts)) > 0 for topic in together)
cases = []
for measure, theirs, formula, topics, options in [
    ("npmi", "c_npmi", by_npmi, together, {"window_size": 1000}),
    ("umass", "u_mass", by_umass, together, {}),
    ("umass", "u_mass", by_umass, apart, {}),
    ("c_v", "c_v", by_cv, together, {}),
    ("c_v", "c_v", by_cv, apart, {}),
]:
    values = gensims(theirs, topics, **options)
    agree(f"{measure} of {topics[0][0]}…", values, [formula(topic) for topic in topics], 1e-9)
    cases.append({"measure": measure, "topics": topics, "values": values})

write("topics", __doc__, gensim=gensim.__version__, texts=[" ".join(text) for text in texts], cases=cases)
