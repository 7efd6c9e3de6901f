"""scikit-learn's CountVectorizer on the documents of vectorising.ts, the same tokens.

    python vectorising.py question.json, then lines on standard input: "versions", or the name of a corpus

A corpus is answered with the seconds of one fit_transform, by the clock and of the processor, and with what came out: words, cells and
tokens, for comparison. Tokens: [^\\W_] of Python's re is a letter or a number; marks, which Suffice takes into words too, are in neither corpus.
"""

import json
import platform
import sys
import time

import sklearn
from sklearn.feature_extraction.text import CountVectorizer

with open(sys.argv[1], encoding="utf-8") as file:
    corpora = json.load(file)
PATTERN = r"(?u)[^\W_]+"
for line in sys.stdin:
    name = line.strip()
    if name == "versions":
        said = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "pattern": PATTERN}
    else:
        vectorizer = CountVectorizer(token_pattern=PATTERN)
        start, busy = time.perf_counter(), time.process_time()
        counts = vectorizer.fit_transform(corpora[name])
        seconds, cpu = time.perf_counter() - start, time.process_time() - busy
        said = {"seconds": seconds, "cpu": cpu, "words": counts.shape[1], "cells": int(counts.nnz), "tokens": int(counts.sum())}
    print(json.dumps(said), flush=True)
