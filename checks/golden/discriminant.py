"""discriminant.json: one normal per class, on iris and wine, maximum likelihood.

    tied (LDA)  Σ   = Σ_k Σ_{i in k} (x−μ_k)(x−μ_k)ᵀ / n         one Σ for all classes, divided by n, not by n − K
    full (QDA)  Σ_k = Σ_{i in k} (x−μ_k)(x−μ_k)ᵀ / n_k           divided by n_k, not by n_k − 1
    joint = ln π_k + ln N(x; μ_k, Σ_k), posterior = p(k | x), π_k = n_k / n

`joint` and `posterior` come from these covariances by scipy.stats.multivariate_normal. scikit-learn 1.9.1 uses the same
two conventions, and the script asserts it: `covariance_` of LDA(solver="lsqr") and of QDA(reg_param=0) are the matrices
above as they stand, so `sklearnPosterior` (its predict_proba) is a second opinion on `posterior` with nothing rescaled.
(Up to 1.8.0 its QDA divided by n_k − 1: there, multiply its covariance by (n_k − 1)/n_k first.)
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, posterior, write
import re

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

rng = np.random.default_rng(20240602)


def camel(name):
    """ "sepal length (cm)" → sepalLength, "od280/od315_of_diluted_wines" → od280Od315OfDilutedWines"""
    first, *rest = re.split(r"[ _/]", name.removesuffix(" (cm)"))
    return first + "".join(word.capitalize() for word in rest)


def log_normal(X, mean, cov):
    """ln N(x; μ, Σ) by scipy (eigenvalues), and by the formula with a Cholesky factor."""
    first = multivariate_normal(mean, cov).logpdf(X)
    factor = cho_factor(cov, lower=True)
    quad = np.sum((X - mean) * cho_solve(factor, (X - mean).T).T, axis=1)
    second = -0.5 * (len(mean) * np.log(2 * np.pi) + quad) - np.log(np.diag(factor[0])).sum()
    agree("ln N by scipy and by Cholesky", first, second)
    return first


datasets, cases = {}, []
for dataset, bunch, label in [("iris", load_iris(), "species"), ("wine", load_wine(), "cultivar")]:
    X, y = bunch.data, bunch.target
    n, K = len(y), 3
    classes, names = [str(c) for c in bunch.target_names], [camel(f) for f in bunch.feature_names]
    test = np.round(X[rng.choice(n, 20, replace=False)] + rng.normal(0, 0.3, (20, X.shape[1])) * X.std(0), 3)
    datasets[dataset] = {
        "label": label,
        "classes": classes,
        "features": names,
        "columns": {**columns(names, X), label: [classes[k] for k in y]},
        "test": {"columns": columns(names, test)},
    }
    prior = np.bincount(y) / n
    means = np.array([X[y == k].mean(0) for k in range(K)])
    scatter = np.array([(X[y == k] - means[k]).T @ (X[y == k] - means[k]) for k in range(K)])
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    qda = QuadraticDiscriminantAnalysis(reg_param=0, store_covariance=True).fit(X, y)
    for kind, cov, model in [
        ("tied", scatter.sum(0) / n, lda),
        ("full", scatter / np.bincount(y)[:, None, None], qda),
    ]:
        name = f"{dataset} {kind}"
        per_class = [cov] * K if kind == "tied" else cov
        joint_of = lambda Z: (
            np.log(prior) + np.stack([log_normal(Z, means[k], per_class[k]) for k in range(K)], 1)
        )
        joint = joint_of(test)
        proba = model.predict_proba(test)
        agree(name + " means", means, model.means_)
        agree(name + " covariance", cov, np.array(model.covariance_))
        gap = agree(name + " p(k | x)", proba, posterior(joint))
        print(f"{name}: scikit-learn's posteriors differ by {gap:.0e}")
        cases.append(
            {
                "name": name,
                "dataset": dataset,
                "options": {"covariance": kind, "prior": 0},
                "expected": {
                    "logPrior": np.log(prior),
                    "means": means,
                    "covariance": cov,
                    "joint": joint,
                    "posterior": posterior(joint),
                    "sklearnPosterior": proba,
                    "trainJointLogLikelihood": joint_of(X)[np.arange(n), y].sum(),
                },
            }
        )

write("discriminant", __doc__, datasets=datasets, cases=cases)
