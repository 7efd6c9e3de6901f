"""regression.json: linear regression with Gaussian noise, alone and in classes, and a mixture of two regressions; maximum likelihood.

    w = argmin Σ_i w_i (y_i − b_0 − b·x_i)²      σ² = Σ_i w_i (y_i − ŷ_i)² / Σ w_i      ln p(y | x) = ln N(y; ŷ, σ²)
    mixture: r_ik ∝ π_k N(y_i; b_k0 + b_k·x_i, σ_k²),  π_k = n_k / n,  b_k and σ_k² by least squares with the weights r_ik

σ² is the mean squared residual (no degrees of freedom are taken off). Regression: scikit-learn, checked against numpy's
lstsq on rows scaled by √w. Mixture: EM by lstsq over all components, checked against EM in plain Python with the textbook
slope Σ r (x − x̄)(y − ȳ) / Σ r (x − x̄)².
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, posterior, write
import math

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.linear_model import LinearRegression

rng = np.random.default_rng(20240707)


def line(X, y, w):
    """Least squares by scikit-learn, and again by lstsq: intercept, slopes, sd."""
    # tol: its default of 1e-6 takes a column whose scale is a millionth of another's for none at all
    found = LinearRegression(tol=1e-15).fit(X, y, sample_weight=w)
    sd = math.sqrt(np.average((y - found.predict(X)) ** 2, weights=w))
    root = np.sqrt(w)
    Z = np.column_stack([np.ones(len(y)), X])
    b = np.linalg.lstsq(Z * root[:, None], y * root, rcond=None)[0]
    agree("intercept", found.intercept_, b[0], 1e-9)
    agree("slopes", found.coef_, b[1:])
    agree("sd", sd, math.sqrt(np.sum(w * (y - Z @ b) ** 2) / w.sum()))
    return found.intercept_, found.coef_, sd


# Regression: 80 rows, columns on very different scales, two classes.
names = ["age", "income", "dose"]
X = np.column_stack([rng.normal(45, 12, 80), rng.lognormal(10, 0.5, 80), rng.normal(0, 0.01, 80)])
k = rng.choice(2, 80, p=[0.6, 0.4])
slopes = np.array([[0.3, 1e-4, 200.0], [-0.5, 3e-4, 90.0]])
y = 5 + 20 * k + np.sum(slopes[k] * X, axis=1) + rng.normal(0, 1.5, 80)
weights = np.round(rng.uniform(0.01, 2.99, 80), 3)
test = np.column_stack([rng.normal(45, 12, 12), rng.lognormal(10, 0.5, 12), rng.normal(0, 0.01, 12)])
answers = rng.normal(25, 10, 12)

cases = []
for weighted in [False, True]:
    w = weights if weighted else np.ones(80)
    intercept, coefficients, sd = line(X, y, w)
    prior = np.array([w[k == c].sum() for c in (0, 1)]) / w.sum()
    lines = [line(X[k == c], y[k == c], w[k == c]) for c in (0, 1)]
    joint = np.column_stack(
        [np.log(prior[c]) + norm.logpdf(answers, b0 + test @ b, s) for c, (b0, b, s) in enumerate(lines)]
    )
    by_hand = [
        [
            math.log(prior[c])
            - 0.5 * math.log(2 * math.pi * s * s)
            - 0.5 * ((answers[i] - b0 - sum(test[i, j] * b[j] for j in range(3))) / s) ** 2
            for c, (b0, b, s) in enumerate(lines)
        ]
        for i in range(12)
    ]
    agree("ln p(class, y | x)", joint, by_hand)
    cases.append(
        {
            "name": "linear" + (" weighted" if weighted else ""),
            "options": {"weighted": weighted, "prior": 0},
            "expected": {
                "intercept": intercept,
                "coefficients": coefficients,
                "sd": sd,
                "predictions": intercept + test @ coefficients,
                "logDensities": norm.logpdf(answers, intercept + test @ coefficients, sd),
                "classes": [{"intercept": b0, "coefficients": b, "sd": s} for b0, b, s in lines],
                "joint": joint,
                "posterior": posterior(joint),
            },
        }
    )
regression = {
    "target": "y",
    "label": "group",
    "classes": ["a", "b"],
    "features": names,
    "columns": {**columns(names, X), "y": y, "group": [["a", "b"][c] for c in k]},
    "weights": weights,
    "test": {"columns": {**columns(names, test), "y": answers}},
    "cases": cases,
}

# Mixture of two regressions: 150 rows on two lines that cross.
x = rng.uniform(0, 10, 150)
z = rng.uniform(size=150) < 0.4
v = np.where(z, 1 + 1.2 * x, 11 - 0.7 * x) + rng.normal(0, 0.8, 150)
pi, b0, b1, sd = np.array([0.5, 0.5]), np.array([3.0, 8.0]), np.array([0.5, -0.2]), np.array([2.0, 2.0])
start = {"weights": pi, "intercepts": b0, "slopes": b1, "sds": sd}
second = [[0.5, 0.5], [3.0, 8.0], [0.5, -0.2], [2.0, 2.0]]
Z = np.column_stack([np.ones(150), x])


def plain_step(pi, b0, b1, sd):
    """One EM step in plain Python; returns the log-likelihood before it too."""
    total, r = 0.0, []
    for xi, yi in zip(x.tolist(), v.tolist()):
        p = [
            pi[c]
            * math.exp(-0.5 * ((yi - b0[c] - b1[c] * xi) / sd[c]) ** 2)
            / (sd[c] * math.sqrt(2 * math.pi))
            for c in (0, 1)
        ]
        total += math.log(sum(p))
        r.append([q / sum(p) for q in p])
    after = [[], [], [], []]
    for c in (0, 1):
        n = sum(row[c] for row in r)
        mx = sum(row[c] * xi for row, xi in zip(r, x.tolist())) / n
        my = sum(row[c] * yi for row, yi in zip(r, v.tolist())) / n
        sxy = sum(row[c] * (xi - mx) * (yi - my) for row, xi, yi in zip(r, x.tolist(), v.tolist()))
        sxx = sum(row[c] * (xi - mx) ** 2 for row, xi in zip(r, x.tolist()))
        slope = sxy / sxx
        icept = my - slope * mx
        squares = sum(row[c] * (yi - icept - slope * xi) ** 2 for row, xi, yi in zip(r, x.tolist(), v.tolist()))
        for list_, value in zip(after, (n / len(r), icept, slope, math.sqrt(squares / n))):
            list_.append(value)
    return total, after


rows, trace, after = list(range(2, 150, 15)), [], []
for t in range(301):
    joint = np.log(pi) + norm.logpdf(v[:, None], b0 + x[:, None] * b1, sd)
    L = logsumexp(joint, axis=1).sum()
    assert not trace or L >= trace[-1] - 1e-9
    trace.append(L)
    r = posterior(joint)
    total, following = plain_step(*second)
    agree(f"mixture L after {t}", L, total, 1e-9)
    if t in (1, 5, 300):
        for what, a, b in zip(("π", "intercepts", "slopes", "sds"), (pi, b0, b1, sd), second):
            agree(f"mixture {what} after {t}", a, b, 1e-9)
        after.append(
            {
                "steps": t,
                "weights": pi,
                "intercepts": b0,
                "slopes": b1,
                "sds": sd,
                "logLikelihood": L,
                "posteriors": r[rows],
            }
        )
    pi = r.sum(0) / 150
    fits = [np.linalg.lstsq(Z * np.sqrt(r[:, [c]]), v * np.sqrt(r[:, c]), rcond=None)[0] for c in (0, 1)]
    b0, b1 = np.array([f[0] for f in fits]), np.array([f[1] for f in fits])
    sd = np.sqrt((r * (v[:, None] - b0 - x[:, None] * b1) ** 2).sum(0) / r.sum(0))
    second = following
print(f"mixture: intercepts {b0}, slopes {b1}, log-likelihood {trace[-1]:.6f}, last step {trace[-1] - trace[-2]:.1e}")

mixture = {
    "columns": {"x": x, "y": v},
    "components": 2,
    "start": start,
    "rows": rows,
    "logLikelihoods": trace[:21],
    "after": after,
}
write("regression", __doc__, regression=regression, mixture=mixture)
