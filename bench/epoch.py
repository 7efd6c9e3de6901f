"""One epoch after the other of scikit-learn's SGDClassifier on the documents of epoch.ts.

    python epoch.py question.json, then lines on standard input: "versions", "hinge" or "log_loss"

Each of the last two is answered with the seconds of one more epoch (partial_fit over all rows, in a new order, of one
classifier per class) and the accuracy on the test rows after it. The words weigh what they weigh for sdEM at its defaults,
(1 + ln count)·√idf, each document brought to length 2; making the matrix is not timed.
"""

import json
import platform
import sys
import time

import numpy
import sklearn
from scipy.sparse import diags
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import normalize

with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)
vectorizer = CountVectorizer(analyzer=str.split)
x = vectorizer.fit_transform(row["text"] for row in asked["train"]).astype(float)
u = vectorizer.transform(row["text"] for row in asked["test"]).astype(float)
rarity = diags(numpy.sqrt(TfidfTransformer().fit(x).idf_))
for part in (x, u):
    part.data = 1 + numpy.log(part.data)
x, u = (2 * normalize(part @ rarity) for part in (x, u))
y, v = (numpy.array([row["label"] for row in asked[part]]) for part in ("train", "test"))
levels = numpy.unique(y)
models = {}
for line in sys.stdin:
    loss = line.strip()
    if loss == "versions":
        said = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": numpy.__version__}
    else:
        model = models.setdefault(loss, SGDClassifier(loss=loss, alpha=1e-5, random_state=0))
        start = time.perf_counter()
        model.partial_fit(x, y, levels)
        said = {"seconds": time.perf_counter() - start, "accuracy": float(model.score(u, v)), "cells": int(x.nnz)}
    print(json.dumps(said), flush=True)
