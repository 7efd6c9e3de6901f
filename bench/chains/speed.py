"""An iteration of EM by hmmlearn on the series of speed.ts: processor time, one thread.

    python chains/speed.py question.json answer.json
"""

import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import hmmlearn
import numpy
from hmmlearn import hmm
from peers import question, reply

logging.getLogger("hmmlearn").setLevel(logging.ERROR)

asked = question()
x = numpy.ascontiguousarray(numpy.array(asked["data"], dtype=float).T)
settings = dict(
    n_components=asked["states"],
    covariance_type=asked["covariance"],
    implementation="scaling",
    tol=-numpy.inf,
    random_state=0,
)
if "mixtures" in asked:
    model = hmm.GMMHMM(n_mix=asked["mixtures"], **settings)
else:
    model = hmm.GaussianHMM(**settings)

# the first fit finds first guesses, which no iteration should pay for
model.n_iter = 1
model.fit(x)
model.init_params = ""
times = []
for _ in range(asked["iterations"]):
    start = time.process_time()
    model.fit(x)
    times.append(time.process_time() - start)

reply(seconds=min(times), peers={"hmmlearn": hmmlearn.__version__})
