"""bernoulli-mixture.json: latent class analysis, a mixture of products of categoricals, by EM from a given start.

    r_ik = π_k Π_j p_kj(x_ij) / Σ_l π_l Π_j p_lj(x_ij),   n_k = Σ_i r_ik
    π_k = n_k / n,   p_kj(l) = Σ_i r_ik 1[x_ij = l] / n_k          maximum likelihood, no smoothing

Values are those of EM over rows; the second opinion is EM over the contingency table (every cell of the table with its
count, so no row is ever looked at). One step is an E-step, then an M-step; log-likelihood and posteriors belong to the
parameters after the M-step. A bernoulli is a categorical with levels 0, 1: `probs[column][k]` is [1 − q, q].
`logLikelihoods`: L of the parameters after 0 … 20 steps.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, write
from itertools import product

import numpy as np

rng = np.random.default_rng(20240604)
STEPS = [1, 5, 500]


def joint_of(X, pi, probs):
    """π_k Π_j p_kj(x_j)"""
    out = np.tile(pi, (len(X), 1))
    for j, p in enumerate(probs):
        out = out * p[:, X[:, j]].T
    return out


def step(X, pi, probs):
    joint = joint_of(X, pi, probs)
    r = joint / joint.sum(1, keepdims=True)
    n = r.sum(0)
    return n / n.sum(), [
        np.array([r[X[:, j] == l].sum(0) for l in range(p.shape[1])]).T / n[:, None]
        for j, p in enumerate(probs)
    ]


def table_step(counts, pi, probs):
    """The same step on the contingency table: counts, and p(k, cell), are arrays with one axis per column."""
    letters = "abcdefgh"[: counts.ndim]
    joint = np.einsum("k," + ",".join("k" + c for c in letters) + "->k" + letters, pi, *probs)
    total = joint.sum(0)
    mass = counts * np.divide(
        joint, total, out=np.zeros_like(joint), where=total > 0
    )  # expected counts of (k, cell)
    n = np.einsum(f"k{letters}->k", mass)
    return n / counts.sum(), [np.einsum(f"k{letters}->k{c}", mass) / n[:, None] for c in letters]


def run(name, dataset, X, pi, probs, names):
    start = {"weights": pi, "probs": dict(zip(names, probs))}
    counts = np.zeros([p.shape[1] for p in probs])
    np.add.at(counts, tuple(X.T), 1)
    second = (pi, probs)
    rows = list(range(3, len(X), len(X) // 10))[:10]
    trace, after = [], []
    for t in range(max(STEPS) + 1):
        joint = joint_of(X, pi, probs)
        L = np.log(joint.sum(1)).sum()
        assert not trace or L >= trace[-1] - 1e-9, f"{name}: the log-likelihood falls at step {t}"
        trace.append(L)
        if t in STEPS:
            agree(f"{name} π after {t}", pi, second[0])
            for p, q in zip(probs, second[1]):
                agree(f"{name} p after {t}", p, q)
            cells = [c for c in product(*map(range, counts.shape)) if counts[c] > 0]
            by_cell = sum(
                counts[c]
                * np.log(
                    sum(
                        second[0][k] * np.prod([q[k, l] for q, l in zip(second[1], c)])
                        for k in range(len(pi))
                    )
                )
                for c in cells
            )
            agree(f"{name} L after {t}", L, by_cell)
            after.append(
                {
                    "steps": t,
                    "weights": pi,
                    "probs": dict(zip(names, probs)),
                    "logLikelihood": L,
                    "meanLogLikelihood": L / len(X),
                    "posteriors": (joint / joint.sum(1, keepdims=True))[rows],
                }
            )
        pi, probs = step(X, pi, probs)
        second = table_step(counts, *second)
    print(
        f"{name}: log-likelihood {trace[-1]:.6f}, last step {trace[-1] - trace[-2]:.1e},",
        f"smallest p {min(p.min() for p in probs):.1e}",
    )
    return {
        "name": name,
        "dataset": dataset,
        "components": len(pi),
        "nParameters": len(pi) - 1 + len(pi) * sum(p.shape[1] - 1 for p in probs),
        "start": start,
        "rows": rows,
        "logLikelihoods": trace[:21],
        "after": after,
    }


def draw(true, z):
    return np.array([[rng.choice(len(p[k]), p=p[k]) for p in true] for k in z])


# 80 rows, levels 2, 3, 4
true = [
    np.array(p)
    for p in (
        [[0.85, 0.15], [0.25, 0.75]],
        [[0.6, 0.3, 0.1], [0.15, 0.25, 0.6]],
        [[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.3, 0.5]],
    )
]
X = draw(true, rng.choice(2, 80, p=[0.55, 0.45]))
start = [
    np.array(p)
    for p in (
        [[0.6, 0.4], [0.4, 0.6]],
        [[0.4, 0.35, 0.25], [0.3, 0.3, 0.4]],
        [[0.3, 0.3, 0.2, 0.2], [0.2, 0.2, 0.3, 0.3]],
    )
]
names = ["c2", "c3", "c4"]

# 100 rows, 5 binary columns, 2 components
trueB = [
    np.array([[1 - a, a], [1 - b, b]]) for a, b in zip([0.9, 0.2, 0.7, 0.8, 0.3], [0.2, 0.7, 0.3, 0.25, 0.8])
]
B = draw(trueB, rng.choice(2, 100, p=[0.4, 0.6]))
startB = [
    np.array([[1 - a, a], [1 - b, b]])
    for a, b in zip([0.6, 0.5, 0.5, 0.625, 0.375], [0.375, 0.5, 0.4, 0.5, 0.5])
]
namesB = [f"b{j}" for j in range(5)]

cells = np.array([[f"l{v}" for v in row] for row in X])
write(
    "bernoulli-mixture",
    __doc__,
    datasets={
        "categorical": {
            "features": names,
            "levels": {n: [f"l{v}" for v in range(L)] for n, L in zip(names, [2, 3, 4])},
            "columns": columns(names, cells),
        },
        "bernoulli": {"features": namesB, "columns": columns(namesB, B)},
    },
    cases=[
        run("categorical", "categorical", X, np.array([0.5, 0.5]), start, names),
        run("bernoulli", "bernoulli", B, np.array([0.5, 0.5]), startB, namesB),
    ],
)
