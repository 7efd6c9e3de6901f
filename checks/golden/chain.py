"""chain.json: EM for hidden Markov models from a given start, T steps exactly, and the best optima of many starts.

One step is forward and backward with the current parameters, then an M-step without priors:

    π_l = Σ_sequences γ_1(l) / n,   a_ij = Σ_t ξ_t(i, j) / Σ_t Σ_j ξ_t(i, j)
    gaussian μ_l = Σ γ_t(l) x_t / Σ γ_t(l), σ² about it | poisson λ_l the same mean | categorical p_l(c) = Σ γ_t(l) 1[x_t = c] / Σ γ_t(l)

`after[T]` are the parameters after T M-steps, and `logLikelihood` the one of those parameters. hmmlearn: every prior off (means_weight 0, covars_weight 1 and
covars_prior 0, lambdas_weight 0, all Dirichlet priors 1), min_covar 0, tol −∞; its score() is ln p of all sequences.
`optima`: the best log-likelihood of 20 random starts, run until the gain is below 1e-6.
Series: earthquakes of magnitude 7 and more by year (Zucchini, MacDonald & Langrock 2016), the Nile at Aswan, the square root of yearly sunspots, durations of eruptions of Old Faithful.
Run: python chain.py <folder of the series>, with hmmlearn 0.3.3 beside requirements.txt.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, write
import csv
import gzip
import logging

import numpy as np
from hmmlearn import hmm

logging.getLogger("hmmlearn").setLevel(logging.ERROR)
FOLDER = sys.argv[1]
STEPS = [1, 2, 10, 50]
OFF = dict(startprob_prior=1, transmat_prior=1, tol=-np.inf, implementation="scaling", init_params="")


def series(path, column):
    with gzip.open(f"{FOLDER}/{path}.csv.gz", "rt") as lines:
        return np.array([float(row[column]) for row in csv.DictReader(lines)])


def made(kind, k, steps, seed=None):
    more = {**OFF, "n_components": k, "n_iter": steps, "random_state": seed}
    if kind == "gaussian":
        return hmm.GaussianHMM(
            covariance_type="diag", min_covar=0, means_prior=0, means_weight=0, covars_prior=0, covars_weight=1, **more
        )
    if kind == "poisson":
        return hmm.PoissonHMM(lambdas_prior=0, lambdas_weight=0, **more)
    return hmm.CategoricalHMM(emissionprob_prior=1, **more)


def put(model, kind, start):
    model.startprob_ = np.array(start["initial"])
    model.transmat_ = np.array(start["transitions"])
    if kind == "gaussian":
        model.means_ = np.array(start["means"])
        model.covars_ = np.array(start["variances"])
    elif kind == "poisson":
        model.lambdas_ = np.array(start["rates"])[:, None]
    else:
        model.emissionprob_ = np.array(start["probabilities"])
        model.n_features = model.emissionprob_.shape[1]


def taken(model, kind, X, lengths):
    own = {
        "gaussian": lambda: {
            "means": model.means_,
            "variances": np.array([np.diag(c) for c in model.covars_]),
        },
        "poisson": lambda: {"rates": model.lambdas_[:, 0]},
        "categorical": lambda: {"probabilities": model.emissionprob_},
    }[kind]()
    return {
        "initial": model.startprob_,
        "transitions": model.transmat_,
        **own,
        "logLikelihood": model.score(X, lengths),
    }


def case(name, kind, sequences, start):
    X = np.concatenate([np.atleast_2d(s.T).T if s.ndim == 1 else s for s in sequences])
    if kind != "gaussian":
        X = X.astype(int)
    lengths = [len(s) for s in sequences]
    after = []
    for steps in STEPS:
        model = made(kind, len(start["initial"]), steps)
        put(model, kind, start)
        model.fit(X, lengths)
        after.append({"steps": steps, **taken(model, kind, X, lengths)})
    return {"name": name, "kind": kind, "lengths": lengths, "cells": X, "start": start, "after": after}


def best(kind, values, k, starts=20):
    X = values[:, None] if kind == "gaussian" else values[:, None].astype(int)
    found = -np.inf
    for seed in range(starts):
        model = made(kind, k, 1000, seed)
        model.init_params = "stmcl" if kind == "gaussian" else "stl"
        model.tol = 1e-6
        model.fit(X)
        found = max(found, model.score(X))
    return {"kind": kind, "states": k, "values": values, "logLikelihood": found}


rng = np.random.default_rng(20261118)
walk = lambda T, k: np.cumsum(rng.random(T) < 0.3) % k
plane = [
    np.stack([2.0 * z + rng.normal(size=len(z)), rng.normal(size=len(z)) - z], axis=1)
    for z in (walk(T, 3) for T in (40, 25, 1, 60))
]
letters = [np.where(rng.random(len(z)) < 0.75, z, rng.integers(0, 3, len(z))) for z in (walk(T, 3) for T in (30, 50, 7))]
quakes = series("hmm-series/earthquakes", "count")
cases = [
    case(
        "gaussian, 3 states, 2 columns",
        "gaussian",
        plane,
        {
            "initial": [0.5, 0.3, 0.2],
            "transitions": [[0.6, 0.2, 0.2], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]],
            "means": [[0, 0], [1.5, -1], [4, -2]],
            "variances": [[1, 1], [2, 1], [1, 2]],
        },
    ),
    case(
        "categorical, 2 states",
        "categorical",
        letters,
        {
            "initial": [0.6, 0.4],
            "transitions": [[0.7, 0.3], [0.4, 0.6]],
            "probabilities": [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]],
        },
    ),
    case(
        "poisson, 3 states",
        "poisson",
        [quakes],
        {
            "initial": [1 / 3, 1 / 3, 1 / 3],
            "transitions": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
            "rates": [10, 20, 30],
        },
    ),
]
optima = {
    "earthquakes, 2 states": best("poisson", quakes, 2),
    "earthquakes, 3 states": best("poisson", quakes, 3),
    "nile, 2 states": best("gaussian", series("hmm-series/nile", "value"), 2),
    "sunspots, 3 states": best("gaussian", np.sqrt(series("hmm-series/sunspot-year", "value")), 3),
    "geyser, 2 states": best("gaussian", series("old-faithful/geyser-mass", "duration"), 2),
}
# Zucchini, MacDonald & Langrock (2016), table 3.1
agree("earthquakes, 2", -optima["earthquakes, 2 states"]["logLikelihood"], 341.8787, 1e-6)
agree("earthquakes, 3", -optima["earthquakes, 3 states"]["logLikelihood"], 328.5275, 1e-6)
write("chain", __doc__, cases=cases, optima=optima)
