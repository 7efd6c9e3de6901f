"""crf.json: a linear-chain conditional random field that CRFsuite has learned, and what it says of sentences.

    p(y | x) = exp( Σ_t Σ_f w_{f, y_t} + Σ_{t>1} λ_{y_{t−1} y_t} ) / Z(x),    f over the features of step t: no weights for beginning and end

`weights`: w by feature and tag (those that CRFsuite dropped are 0), λ by tags, to the six decimals that it prints. `cases`: sentences with features, the most probable tags, ln p of
the tags that are given, and p(y_t | x) of every step: of these weights, by adding up all paths. CRFsuite, by dynamic programming with all digits, agrees to 1e-5.
Run: python crf.py, with python-crfsuite 0.9.12 beside requirements.txt.
"""

import sys

sys.dont_write_bytecode = True

import itertools
import os
import tempfile

import numpy as np
import pycrfsuite
from store import agree, write

TEXT = """the/D old/A man/N saw/V the/D dog/N | a/D dog/N ran/V | the/D man/N ran/V | old/A dogs/N saw/V a/D man/N | she/N saw/V old/A men/N
| a/D man/N saw/V dogs/N | the/D old/A ran/V | men/N saw/V the/D old/A dog/N | she/N ran/V | the/D dogs/N saw/V her/N"""
ASKED = ["the/D old/A dog/N saw/V her/N", "dogs/N ran/V", "a/D man/N saw/V old/A dogs/N", "old/A", "men/N old/A she/V the/D"]


def read(sentence):
    return [tuple(token.split("/")) for token in sentence.split()]


def features(tokens):
    """Two for every step."""
    return [[f"w={word}", f"s={word[-1]}"] for word, _ in tokens]


train = [read(sentence) for sentence in TEXT.split("|")]
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model")
    trainer = pycrfsuite.Trainer(verbose=False, algorithm="lbfgs")
    trainer.set_params({"c1": 0, "c2": 0.1, "feature.possible_transitions": True, "feature.possible_states": True})
    for tokens in train:
        trainer.append(features(tokens), [tag for _, tag in tokens])
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    info = tagger.info()
    tags = sorted(tagger.labels())
    words = sorted({f for tokens in train for step in features(tokens) for f in step})
    w = {f: {tag: info.state_features.get((f, tag), 0.0) for tag in tags} for f in words}
    transitions = {a: {b: info.transitions.get((a, b), 0.0) for b in tags} for a in tags}

    def brute(steps):
        """ln of the weight of every path."""
        found = {}
        for y in itertools.product(tags, repeat=len(steps)):
            state = sum(w[f][tag] for step, tag in zip(steps, y) for f in step if f in w)
            found[y] = state + sum(transitions[a][b] for a, b in zip(y, y[1:]))
        return found

    cases = []
    for sentence in ASKED:
        tokens = read(sentence)
        steps, given = features(tokens), [tag for _, tag in tokens]
        best = tagger.tag(steps)
        p = tagger.probability(given)
        marginals = [{tag: tagger.marginal(tag, t) for tag in tags} for t in range(len(steps))]
        every = brute(steps)
        total = np.logaddexp.reduce(list(every.values()))
        exact = every[tuple(given)] - total
        agree("ln p", np.log(p), exact, 1e-5)
        assert max(every, key=every.get) == tuple(best)
        sums = [
            {tag: np.exp(np.logaddexp.reduce([v for y, v in every.items() if y[t] == tag]) - total) for tag in tags}
            for t in range(len(steps))
        ]
        for theirs, own in zip(marginals, sums):
            for tag in tags:
                agree("marginal", theirs[tag], own[tag], 1e-5)
        cases.append(
            {"sentence": sentence, "features": steps, "tags": given, "best": best, "logProbability": exact, "marginals": sums}
        )
    tagger.close()
write("crf", __doc__, tags=tags, weights={"states": w, "transitions": transitions}, cases=cases)
