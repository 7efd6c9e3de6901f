"""missing.json: missing cells (null) in normals, mixtures of normals and Gaussian naive Bayes.

o, m: the observed and the missing part of a row. Score: ln N(x_o; μ_o, Σ_oo). E-step of one row, given μ, Σ:

    x̂_m = μ_m + Σ_mo Σ_oo⁻¹ (x_o − μ_o),   C_mm = Σ_mm − Σ_mo Σ_oo⁻¹ Σ_om (0 elsewhere)
    M-step: n_k = Σ_i r_ik, μ_k = Σ_i r_ik x̂_ik / n_k, Σ_k = Σ_i r_ik ((x̂_ik − μ_k)(x̂_ik − μ_k)ᵀ + C_ik) / n_k
    tied: Σ = Σ_k n_k Σ_k / n;  π_k = n_k / n;  r_ik ∝ π_k N(x_o; μ_ko, Σ_koo)

x̂ and C come from component k's *old* parameters; μ_k in the M-step is the new mean. Maximum likelihood, no prior.
The second opinion has another algebra, with Λ = Σ⁻¹: x̂_m = μ_m − Λ_mm⁻¹ Λ_mo (x_o − μ_o), C_mm = Λ_mm⁻¹, raw second
moments, and densities by scipy; with no cell missing, it is scikit-learn's GaussianMixture. No row of the EM data is
wholly missing: such a row, kept, would slow EM down without moving its fixed point, and is worth ln p = 0 (last row
of `density`).
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, posterior, write
import warnings

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB

warnings.simplefilter("ignore", ConvergenceWarning)
rng = np.random.default_rng(20240605)


def punch(X, share):
    """X with about `share` of its cells missing, at least one cell left in each row."""
    X = X.copy()
    holes = rng.uniform(size=X.shape) < share
    holes[holes.all(1), 0] = False
    X[holes] = np.nan
    return X


def log_density(x, mean, cov):
    """ln N(x_o; μ_o, Σ_oo), the formula"""
    o = ~np.isnan(x)
    diff, S = x[o] - mean[o], cov[np.ix_(o, o)]
    return (
        -0.5 * (o.sum() * np.log(2 * np.pi) + np.linalg.slogdet(S)[1] + diff @ np.linalg.solve(S, diff))
        if o.any()
        else 0.0
    )


def by_scipy(x, mean, cov):
    o = ~np.isnan(x)
    return float(multivariate_normal(mean[o], cov[np.ix_(o, o)]).logpdf(x[o])) if o.any() else 0.0


def complete(x, mean, cov):
    """x̂, C by covariances"""
    m, o = np.isnan(x), ~np.isnan(x)
    filled, C = np.where(m, 0, x), np.zeros_like(cov)
    gain = cov[np.ix_(m, o)] @ np.linalg.inv(cov[np.ix_(o, o)])
    filled[m] = mean[m] + gain @ (x[o] - mean[o])
    C[np.ix_(m, m)] = cov[np.ix_(m, m)] - gain @ cov[np.ix_(o, m)]
    return filled, C


def complete_by_precision(x, mean, cov):
    m, o = np.isnan(x), ~np.isnan(x)
    P = np.linalg.inv(cov)
    filled, C = np.where(m, 0, x), np.zeros_like(cov)
    C[np.ix_(m, m)] = np.linalg.inv(P[np.ix_(m, m)])
    filled[m] = mean[m] - C[np.ix_(m, m)] @ P[np.ix_(m, o)] @ (x[o] - mean[o])
    return filled, C


def joint_of(X, params, density):
    pi, means, covs = params
    return np.array([[np.log(pi[k]) + density(x, means[k], covs[k]) for k in range(len(pi))] for x in X])


def step(X, params, tied):
    pi, means, covs = params
    joint = joint_of(X, params, log_density)
    r = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    n = r.sum(0)
    new_means, new_covs = np.empty_like(means), np.empty_like(covs)
    for k in range(len(pi)):
        rows = [complete(x, means[k], covs[k]) for x in X]
        new_means[k] = sum(w * f for w, (f, _) in zip(r[:, k], rows)) / n[k]
        new_covs[k] = (
            sum(w * (np.outer(f - new_means[k], f - new_means[k]) + C) for w, (f, C) in zip(r[:, k], rows))
            / n[k]
        )
    if tied:
        new_covs[:] = np.einsum("k,kij->ij", n, new_covs) / n.sum()
    return n / n.sum(), new_means, new_covs


def second_step(X, params, tied):
    pi, means, covs = params
    r = posterior(joint_of(X, params, by_scipy))
    n, out, scatter = r.sum(0), [], np.zeros_like(covs)
    for k in range(len(pi)):
        F, C = map(np.array, zip(*[complete_by_precision(x, means[k], covs[k]) for x in X]))
        mean = r[:, k] @ F / n[k]
        out.append(mean)
        scatter[k] = (F.T * r[:, k]) @ F + np.tensordot(r[:, k], C, 1) - n[k] * np.outer(mean, mean)
    covs = np.array([scatter.sum(0) / len(X)] * len(pi)) if tied else scatter / n[:, None, None]
    return n / len(X), np.array(out), covs


def run(name, X, start, steps, tied=False, one=False):
    """EM with both algebras; `one`: a single normal, written without weights and without the component axis."""
    shape = lambda p: (
        {"mean": p[1][0], "covariance": p[2][0]}
        if one
        else {"weights": p[0], "means": p[1], "covariances": p[2][0] if tied else p[2]}
    )
    rows = list(range(2, len(X), len(X) // 10))[:10]
    first = second = start
    trace, after = [], []
    for t in range(max(steps) + 1):
        joint = joint_of(X, first, log_density)
        L = logsumexp(joint, axis=1).sum()
        assert not trace or L >= trace[-1] - 1e-9, f"{name}: the log-likelihood falls at step {t}"
        trace.append(L)
        if t in steps:
            for what, a, b in zip(["π", "μ", "Σ"], first, second):
                agree(f"{name} {what} after {t}", a, b)
            agree(f"{name} L after {t}", L, logsumexp(joint_of(X, second, by_scipy), axis=1).sum())
            after.append(
                {
                    "steps": t,
                    **shape(first),
                    "logLikelihood": L,
                    "meanLogLikelihood": L / len(X),
                    **({} if one else {"posteriors": posterior(joint)[rows]}),
                }
            )
        first, second = step(X, first, tied), second_step(X, second, tied)
    print(f"{name}: log-likelihood {trace[-1]:.6f}, last step {trace[-1] - trace[-2]:.1e}")
    return {
        "start": shape(start),
        **({} if one else {"rows": rows}),
        "logLikelihoods": trace[:21],
        "after": after,
    }


# One normal: 120 rows, 4 columns, a quarter of the cells missing.
mean = np.array([1.0, -2.0, 0.5, 10.0])
cov = np.array([[2.0, 0.8, -0.3, 1.0], [0.8, 1.0, 0.2, 0.4], [-0.3, 0.2, 0.5, -0.2], [1.0, 0.4, -0.2, 3.0]])
N4 = punch(np.round(rng.multivariate_normal(mean, cov, 120), 3), 0.25)
names4 = ["x0", "x1", "x2", "x3"]
rows = np.vstack([N4, np.full(4, np.nan)])  # the last row is wholly missing
log_p = np.array([log_density(x, mean, cov) for x in rows])
agree("observed log-density", log_p, [by_scipy(x, mean, cov) for x in rows])
imputed = np.array([complete(x, mean, cov)[0] for x in rows])
agree("x̂", imputed, [complete_by_precision(x, mean, cov)[0] for x in rows])
density = {
    "features": names4,
    "columns": columns(names4, rows),
    "mean": mean,
    "covariance": cov,
    "expected": {"logDensity": log_p, "imputed": imputed},
}
available = (np.ones(1), np.nanmean(N4, axis=0)[None], np.diag(np.nanvar(N4, axis=0))[None])
normal = {
    "features": names4,
    "columns": columns(names4, N4),
    **run("normal", N4, available, [1, 5, 200], one=True),
}

# At the maximum no direction in (μ, Σ) raises the observed-data log-likelihood: a check that knows nothing of EM.
top = normal["after"][-1]
observed = lambda m, S: sum(by_scipy(x, m, S) for x in N4)
for i in range(4):
    for j in range(i, 4):
        bump, h = np.zeros((4, 4)), 1e-4
        bump[i, j] = bump[j, i] = h
        slope = (
            observed(top["mean"], top["covariance"] + bump) - observed(top["mean"], top["covariance"] - bump)
        ) / (2 * h)
        assert abs(slope) < 1e-4, f"normal: dL/dΣ[{i},{j}] = {slope:.1e} after 200 steps"
    e = np.eye(4)[i] * 1e-4
    slope = (
        observed(top["mean"] + e, top["covariance"]) - observed(top["mean"] - e, top["covariance"])
    ) / 2e-4
    assert abs(slope) < 1e-4, f"normal: dL/dμ[{i}] = {slope:.1e} after 200 steps"

# Mixtures: 150 rows, 3 columns, a fifth of the cells missing.
whole = np.round(
    np.concatenate(
        [
            rng.multivariate_normal([0, 0, 0], [[1, 0.5, 0.2], [0.5, 1.2, -0.3], [0.2, -0.3, 0.8]], 90),
            rng.multivariate_normal([2.5, -1, 2], [[0.7, -0.3, 0.1], [-0.3, 0.9, 0.2], [0.1, 0.2, 1.5]], 60),
        ]
    ),
    3,
)[rng.permutation(150)]
M3 = punch(whole, 0.2)
names3 = ["x0", "x1", "x2"]
start = (
    np.array([0.4, 0.6]),
    np.array([[-0.5, 0.5, 0.0], [1.5, -0.5, 1.5]]),
    np.array([[[1.5, 0.2, 0], [0.2, 1.5, 0.1], [0, 0.1, 1.5]], [[1.0, 0, 0.2], [0, 1.0, 0], [0.2, 0, 2.0]]]),
)
tied_start = (start[0], start[1], np.array([start[2][0]] * 2))
for tied, s in [(False, start), (True, tied_start)]:  # no cell missing: scikit-learn
    P = np.linalg.inv(s[2])
    sk = GaussianMixture(
        2,
        covariance_type="tied" if tied else "full",
        reg_covar=0,
        tol=0,
        max_iter=3,
        weights_init=s[0],
        means_init=s[1],
        precisions_init=P[0] if tied else P,
    ).fit(whole)
    p = s
    for _ in range(3):
        p = step(whole, p, tied)
    agree("whole rows π", p[0], sk.weights_)
    agree("whole rows μ", p[1], sk.means_)
    agree("whole rows Σ", p[2][0] if tied else p[2], sk.covariances_)
mixture = {
    "features": names3,
    "columns": columns(names3, M3),
    "components": 2,
    "full": run("mixture full", M3, start, [1, 5, 100]),
    "tied": run("mixture tied", M3, tied_start, [1, 5, 100], tied=True),
}

# Gaussian naive Bayes: each mean and variance from the cells that are there; π from all rows.
iris = load_iris()
classes = [str(c) for c in iris.target_names]
names = ["sepalLength", "sepalWidth", "petalLength", "petalWidth"]
I4, y = punch(iris.data, 0.2), iris.target
test = punch(np.round(iris.data[rng.choice(150, 20, replace=False)] + rng.normal(0, 0.4, (20, 4)), 2), 0.3)
test[-1] = np.nan
means = np.array([np.nanmean(I4[y == k], axis=0) for k in range(3)])
variances = np.array([np.nanvar(I4[y == k], axis=0) for k in range(3)])
for j in range(4):  # scikit-learn, one column at a time, on the rows that have it
    seen = ~np.isnan(I4[:, j])
    nb = GaussianNB(var_smoothing=0).fit(I4[seen, j : j + 1], y[seen])
    agree("naive Bayes μ", means[:, j], nb.theta_[:, 0])
    agree("naive Bayes σ²", variances[:, j], nb.var_[:, 0])
log_prior = np.log(np.bincount(y) / len(y))
joint = log_prior + np.array(
    [[np.nansum(norm.logpdf(x, means[k], np.sqrt(variances[k]))) for k in range(3)] for x in test]
)
agree(
    "naive Bayes joint",
    joint,
    log_prior + np.array([[log_density(x, means[k], np.diag(variances[k])) for k in range(3)] for x in test]),
)
naive = {
    "label": "species",
    "classes": classes,
    "features": names,
    "columns": {**columns(names, I4), "species": [classes[k] for k in y]},
    "test": {"columns": columns(names, test)},
    "expected": {
        "logPrior": log_prior,
        "means": means,
        "variances": variances,
        "joint": joint,
        "posterior": posterior(joint),
    },
}

write("missing", __doc__, density=density, normal=normal, mixture=mixture, naiveBayes=naive)
