"""mixture.json: EM for mixtures of normals from a given start, T steps exactly.

One step is an E-step with the current parameters, then an M-step:

    r_ik = w_i π_k N(x_i; μ_k, Σ_k) / Σ_l π_l N(x_i; μ_l, Σ_l),   n_k = Σ_i r_ik
    π_k = n_k / n,   μ_k = Σ_i r_ik x_i / n_k,   S_k = Σ_i r_ik (x_i−μ_k)(x_i−μ_k)ᵀ / n_k
    full Σ_k = S_k | tied Σ = Σ_k n_k S_k / n | diag σ²_kj = (S_k)_jj | spherical σ²_k = tr S_k / d
    identity Σ = I, not learned (soft k-means)

Everything under `after` (log-likelihood, aic, bic, posteriors) belongs to the parameters *after* those T M-steps.
The values are those of the EM written out below; scikit-learn's GaussianMixture(max_iter=T, tol=0, reg_covar=0) agrees
to 1e-10: with all three inits given it starts at the E-step, and T iterations are T M-steps. Its `lower_bound_`
is *one step behind*: the log-likelihood of the parameters before the last M-step, and is not used.
identity: checked by single scikit-learn steps, the precision put back to 1 after each.
weighted: scikit-learn has no sample_weight; weights are quarters, so repeating row i 4·w_i times is the same EM.
aic = −2L + 2p, bic = −2L + p ln n. `logLikelihoods`: L of the parameters after 0 … 20 steps (weighted: Σ w ln p).
"iris identity" is still moving after its 300 steps (1e-4 in L per step); all others have converged.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, write
import warnings

import numpy as np
from scipy.special import logsumexp
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

warnings.simplefilter("ignore", ConvergenceWarning)
rng = np.random.default_rng(20240603)
STEPS = [1, 2, 5, 300]


def matrices(kind, cov, k, d):
    """Each covariance type as k matrices."""
    return {
        "full": lambda: cov,
        "tied": lambda: np.array([cov] * k),
        "diag": lambda: np.array([np.diag(c) for c in cov]),
        "spherical": lambda: np.array([c * np.eye(d) for c in cov]),
        "identity": lambda: np.array([np.eye(d)] * k),
    }[kind]()


def joint_of(X, kind, params):
    """ln π_k + ln N(x; μ_k, Σ_k)"""
    weights, means, cov = params
    k, d = means.shape
    out = np.empty((len(X), k))
    for j, S in enumerate(matrices(kind, cov, k, d)):
        diff = X - means[j]
        quad = np.sum(diff * np.linalg.solve(S, diff.T).T, axis=1)
        out[:, j] = np.log(weights[j]) - 0.5 * (d * np.log(2 * np.pi) + np.linalg.slogdet(S)[1] + quad)
    return out


def step(X, w, kind, params):
    joint = joint_of(X, kind, params)
    r = w[:, None] * np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    n = r.sum(0)
    means = np.array([(r[:, j, None] * X).sum(0) / n[j] for j in range(len(n))])
    S = np.array([(r[:, j, None] * (X - means[j])).T @ (X - means[j]) / n[j] for j in range(len(n))])
    cov = {
        "full": lambda: S,
        "tied": lambda: (n[:, None, None] * S).sum(0) / n.sum(),
        "diag": lambda: np.array([np.diag(s) for s in S]),
        "spherical": lambda: np.array([np.trace(s) / X.shape[1] for s in S]),
        "identity": lambda: None,
    }[kind]()
    return n / n.sum(), means, cov


def n_parameters(kind, k, d):
    free = {
        "full": k * d * (d + 1) // 2,
        "tied": d * (d + 1) // 2,
        "diag": k * d,
        "spherical": k,
        "identity": 0,
    }
    return free[kind] + k * d + k - 1


def inverse(kind, cov):
    if kind in ("diag", "spherical"):
        return 1 / cov
    P = np.linalg.inv(cov)
    return (P + np.swapaxes(P, -1, -2)) / 2


def by_sklearn(X, kind, start, T):
    """The second opinion: parameters after T steps, and the fitted model."""
    weights, means, cov = start
    make = lambda kind, steps, w, m, P: GaussianMixture(
        len(w),
        covariance_type=kind,
        reg_covar=0,
        tol=0,
        max_iter=steps,
        weights_init=w,
        means_init=m,
        precisions_init=P,
    ).fit(X)
    if kind != "identity":
        model = make(kind, T, weights, means, inverse(kind, cov))
        assert model.n_iter_ == T
        return (model.weights_, model.means_, model.covariances_), model
    one = np.ones(len(weights))
    for _ in range(T):
        model = make("spherical", 1, weights, means, one)
        weights, means = model.weights_ / model.weights_.sum(), model.means_
    model.precisions_cholesky_ = one
    return (weights, means, None), model


def run(name, dataset, X, kind, start, rows, w=None):
    k, d = start[1].shape
    weighted = w is not None
    w = w if weighted else np.ones(len(X))
    p = n_parameters(kind, k, d)
    params, trace, after = start, [], []
    for t in range(max(STEPS) + 1):
        joint = joint_of(X, kind, params)
        L = float(w @ logsumexp(joint, axis=1))
        assert not trace or L >= trace[-1] - 1e-9, f"{name}: the log-likelihood falls at step {t}"
        trace.append(L)
        if t in STEPS:
            post = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
            Y = np.repeat(X, np.round(4 * w).astype(int), axis=0) if weighted else X
            second, model = by_sklearn(Y, kind, start, t)
            for what, a, b in zip(["π", "μ", "Σ"], params, second):
                if a is not None:
                    agree(f"{name} {what} after {t}", a, b)
            agree(f"{name} L after {t}", L / w.sum(), model.score(Y))
            agree(f"{name} r after {t}", post[rows], model.predict_proba(X[rows]))
            aic, bic = -2 * L + 2 * p, -2 * L + p * np.log(len(X))
            if not weighted and kind != "identity":
                agree(f"{name} aic, bic after {t}", [aic, bic], [model.aic(X), model.bic(X)])
            if not weighted and kind != "identity" and t > 1:
                agree(f"{name}: lower_bound_ is one step behind", trace[t - 1] / len(X), model.lower_bound_)
            after.append(
                {
                    "steps": t,
                    "weights": params[0],
                    "means": params[1],
                    "covariances": params[2],
                    "logLikelihood": L,
                    "meanLogLikelihood": L / w.sum(),
                    **({} if weighted else {"aic": aic, "bic": bic}),
                    "posteriors": post[rows],
                }
            )
        params = step(X, w, kind, params)
    print(f"{name}: mean log-likelihood {trace[-1] / w.sum():.6f}, last step {trace[-1] - trace[-2]:.1e}")
    return {
        "name": name,
        "dataset": dataset,
        "covariance": kind,
        "weighted": weighted,
        "components": k,
        "nParameters": p,
        "start": {"weights": start[0], "means": start[1], "covariances": start[2]},
        "rows": rows,
        "logLikelihoods": trace[:21],
        "after": after,
    }


def start_of(X, kind, weights, means, factors):
    full = np.array([np.round(f * np.cov(X.T, bias=True), 3) for f in factors])
    cov = {
        "full": full,
        "tied": full[0],
        "diag": np.array([np.diag(c) for c in full]),
        "spherical": np.array([np.round(np.trace(c) / X.shape[1], 3) for c in full]),
        "identity": None,
    }[kind]
    return np.array(weights), means, cov


iris = load_iris().data
blobs = np.round(
    np.concatenate(
        [
            rng.multivariate_normal([0, 0], [[1.5, 0.9], [0.9, 1.0]], 190),
            rng.multivariate_normal([3, 1], [[0.6, -0.4], [-0.4, 1.2]], 110),
        ]
    ),
    4,
)[rng.permutation(300)]
quarters = rng.integers(1, 12, 300) / 4  # 0.25 … 2.75

cases = []
for dataset, X, weights, means, factors in [
    ("iris", iris, [0.3, 0.3, 0.4], iris[[10, 70, 120]], [0.4, 0.5, 0.6]),
    ("blobs", blobs, [0.4, 0.6], np.array([[-1.0, 0.5], [2.0, 0.0]]), [0.7, 0.5]),
]:
    rows = list(range(4, len(X), len(X) // 10))[:10]
    for kind in ["full", "tied", "diag", "spherical", "identity"]:
        cases.append(
            run(f"{dataset} {kind}", dataset, X, kind, start_of(X, kind, weights, means, factors), rows)
        )
start = start_of(blobs, "diag", [0.4, 0.6], np.array([[-1.0, 0.5], [2.0, 0.0]]), [0.7, 0.5])
cases.append(run("blobs diag weighted", "blobs", blobs, "diag", start, list(range(4, 300, 30)), quarters))

names = ["sepalLength", "sepalWidth", "petalLength", "petalWidth"]
write(
    "mixture",
    __doc__,
    datasets={
        "iris": {"features": names, "columns": columns(names, iris)},
        "blobs": {"features": ["x", "y"], "columns": columns(["x", "y"], blobs), "weights": quarters},
    },
    cases=cases,
)
