"""scikit-learn's IterativeImputer on the tables of imputation.ts, the same holes.

    python imputation.py question.json answer.json

On the cells as they are, and on columns standardised by their seen cells: BayesianRidge has one prior for all
coefficients, and the stopping rule one threshold for all columns, so the two differ. Each with every limit on the
rounds that the question names.

And a second opinion on ours: EM for one normal written out, once as it should be and once without the covariance of the
guesses, which is what treating them as seen amounts to.
"""

import json
import platform
import sys
import warnings

import numpy
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer


def impute(cells, max_iter):
    imputer = IterativeImputer(max_iter=max_iter, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        filled = imputer.fit_transform(cells)
    late = any(issubclass(w.category, ConvergenceWarning) for w in caught)
    return filled, {"rounds": int(imputer.n_iter_), "converged": not late}


def first_spread(x, missing):
    """What lies within the one slot before EM climbs, every hole at its column's mean and variance; of columns of variance 1."""
    rows, d = x.shape
    first = numpy.where(missing, 0, x)
    mean = first.mean(axis=0)
    scatter = first.T @ first + numpy.diag(missing.sum(axis=0)) - rows * numpy.outer(mean, mean)
    f = rows - 1
    squares = numpy.diag(scatter)
    v = numpy.minimum((squares + 1) / (f + 1), 4 * (1 + (10 / f) ** 2) * squares / f)
    loaded = squares * (1 + (d + 5) / f)
    correlation = scatter / numpy.sqrt(numpy.outer(loaded, loaded))
    numpy.fill_diagonal(correlation, 1)
    return correlation * numpy.sqrt(numpy.outer(v, v))


def em(cells, spread, steps=100):
    """E[xxᵀ | seen] = guess guessᵀ + C; `spread` = 0 leaves C out. Prior: d + 5 pseudo-rows around the mean, as em() of Suffice."""
    centre, sd = numpy.nanmean(cells, axis=0), numpy.nanstd(cells, axis=0)
    x = (cells - centre) / sd
    rows, d = x.shape
    missing = numpy.isnan(x)
    mu, sigma = numpy.zeros(d), numpy.eye(d)
    within, nu = first_spread(x, missing), d + 5
    for _ in range(steps):
        guess, c = x.copy(), numpy.zeros((d, d))
        for i in range(rows):
            h, o = numpy.flatnonzero(missing[i]), numpy.flatnonzero(~missing[i])
            if h.size == 0:
                continue
            b = numpy.linalg.solve(sigma[numpy.ix_(o, o)], sigma[numpy.ix_(o, h)]).T
            guess[i, h] = mu[h] + b @ (x[i, o] - mu[o])
            c[numpy.ix_(h, h)] += sigma[numpy.ix_(h, h)] - b @ sigma[numpy.ix_(o, h)]
        mu = guess.mean(axis=0)
        scatter = guess.T @ guess + spread * c - rows * numpy.outer(mu, mu)
        sigma = (scatter + nu * within) / (rows + nu)
    filled = numpy.where(missing, guess * sd + centre, cells)
    return {"cells": filled.tolist(), "rounds": steps, "converged": True}


def answer(task, limits):
    cells = numpy.array(task["cells"], dtype=float)  # null becomes nan
    mean, sd = numpy.nanmean(cells, axis=0), numpy.nanstd(cells, axis=0)
    runs = {"em": em(cells, 1), "em without": em(cells, 0)}
    for limit in limits:
        filled, run = impute(cells, limit)
        runs[f"raw {limit}"] = {"cells": filled.tolist(), **run}
        filled, run = impute((cells - mean) / sd, limit)
        runs[f"scaled {limit}"] = {"cells": (filled * sd + mean).tolist(), **run}
    return runs


with open(sys.argv[1], encoding="utf-8") as file:
    question = json.load(file)
answers = []
for task in question["tasks"]:
    answers.append(answer(task, question["limits"]))
    print(f"  IterativeImputer {task['name']} seed {task['seed']}", flush=True)
versions = {"python": platform.python_version(), "scikit-learn": sklearn.__version__, "numpy": numpy.__version__}
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump({"versions": versions, "answers": answers}, file)
