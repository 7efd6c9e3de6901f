"""poisson.json: Poisson naive Bayes and a mixture of two Poissons, maximum likelihood.

    λ_kj = Σ w x / Σ w over the rows of class k;   ln p(k, x) = ln π_k + Σ_j (x_j ln λ_kj − λ_kj − ln x_j!)
    mixture: r_ik ∝ π_k Poisson(x_i; λ_k),  π_k = n_k / n,  λ_k = Σ_i r_ik x_i / n_k

Log-densities include ln x! (they are densities). A missing cell (null) is skipped. Naive Bayes: scipy.stats.poisson,
checked against the formula with math.lgamma. Mixture: EM over rows, checked against EM over the histogram of the values.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, posterior, write
import math

import numpy as np
from scipy.special import logsumexp
from scipy.stats import poisson

rng = np.random.default_rng(20240606)

# Naive Bayes: 90 rows, 3 columns, 3 classes.
rates = np.array([[2.0, 8.0, 0.5], [4.0, 5.0, 1.5], [9.0, 1.0, 3.0]])
y = rng.choice(3, 90, p=[0.5, 0.3, 0.2])
X = rng.poisson(rates[y])
weights = np.round(rng.uniform(0.01, 2.99, 90), 3)
test = rng.poisson(rates[rng.choice(3, 20)]).astype(float)
test[3, 1] = test[8, 0] = test[8, 2] = np.nan
test[19] = np.nan
names, classes = ["visits", "clicks", "calls"], ["a", "b", "c"]
whole = lambda Z: [[None if np.isnan(v) else int(v) for v in row] for row in np.asarray(Z, float)]
as_columns = lambda Z: {n: [row[j] for row in whole(Z)] for j, n in enumerate(names)}

cases = []
for weighted in [False, True]:
    w = weights if weighted else np.ones(90)
    prior = np.array([w[y == k].sum() for k in range(3)]) / w.sum()
    lam = np.array([w[y == k] @ X[y == k] / w[y == k].sum() for k in range(3)])
    agree(
        "λ",
        lam,
        [
            [
                sum(wi * xi[j] for wi, xi, yi in zip(w, X, y) if yi == k)
                / sum(wi for wi, yi in zip(w, y) if yi == k)
                for j in range(3)
            ]
            for k in range(3)
        ],
    )
    joint = np.log(prior) + np.array(
        [
            [sum(poisson.logpmf(v, lam[k, j]) for j, v in enumerate(x) if not np.isnan(v)) for k in range(3)]
            for x in test
        ]
    )
    second = [
        [
            math.log(prior[k])
            + sum(
                v * math.log(lam[k, j]) - lam[k, j] - math.lgamma(v + 1)
                for j, v in enumerate(x)
                if not np.isnan(v)
            )
            for k in range(3)
        ]
        for x in test
    ]
    agree("ln p(k, x)", joint, second)
    cases.append(
        {
            "name": "poisson" + (" weighted" if weighted else ""),
            "options": {"weighted": weighted, "prior": 0},
            "expected": {
                "logPrior": np.log(prior),
                "rates": lam,
                "joint": joint,
                "posterior": posterior(joint),
            },
        }
    )
naive = {
    "label": "y",
    "classes": classes,
    "features": names,
    "columns": {**as_columns(X), "y": [classes[k] for k in y]},
    "weights": weights,
    "test": {"columns": as_columns(test)},
    "cases": cases,
}

# Mixture of two Poissons: 200 rows, one column.
x = rng.poisson(np.where(rng.uniform(size=200) < 0.65, 2.0, 9.0))
pi, lam = np.array([0.5, 0.5]), np.array([3.0, 5.0])
start = {"weights": pi, "rates": lam}
values, counts = np.unique(x, return_counts=True)
second = [[0.5, 0.5], [3.0, 5.0]]
rows, trace, after = list(range(3, 200, 20)), [], []


def histogram_step(pi, lam):
    """EM over (value, count), in plain Python"""
    n, s = [0.0, 0.0], [0.0, 0.0]
    for v, c in zip(values.tolist(), counts.tolist()):
        p = [pi[k] * math.exp(-lam[k]) * lam[k] ** v / math.factorial(v) for k in (0, 1)]
        for k in (0, 1):
            n[k] += c * p[k] / sum(p)
            s[k] += c * p[k] / sum(p) * v
    return [[m / sum(n) for m in n], [s[k] / n[k] for k in (0, 1)]]


for t in range(301):
    joint = np.log(pi) + poisson.logpmf(x[:, None], lam)
    L = logsumexp(joint, axis=1).sum()
    assert not trace or L >= trace[-1] - 1e-9
    trace.append(L)
    r = posterior(joint)
    if t in (1, 5, 300):
        agree(f"mixture π after {t}", pi, second[0])
        agree(f"mixture λ after {t}", lam, second[1])
        by_value = sum(
            c * math.log(sum(p * math.exp(-l) * l**v / math.factorial(v) for p, l in zip(*second)))
            for v, c in zip(values.tolist(), counts.tolist())
        )
        agree(f"mixture L after {t}", L, by_value)
        after.append(
            {
                "steps": t,
                "weights": pi,
                "rates": lam,
                "logLikelihood": L,
                "meanLogLikelihood": L / 200,
                "posteriors": r[rows],
            }
        )
    pi, lam = r.sum(0) / 200, (r * x[:, None]).sum(0) / r.sum(0)
    second = histogram_step(*second)
print(f"mixture: λ {lam}, log-likelihood {trace[-1]:.6f}, last step {trace[-1] - trace[-2]:.1e}")

mixture = {
    "features": ["visits"],
    "columns": {"visits": x},
    "components": 2,
    "start": start,
    "rows": rows,
    "logLikelihoods": trace[:21],
    "after": after,
}
write("poisson", __doc__, naiveBayes=naive, mixture=mixture)
