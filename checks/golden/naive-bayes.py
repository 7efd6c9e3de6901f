"""naive-bayes.json: naive Bayes by scikit-learn, checked against the formulas written out with scipy.

ln p(k, x) = ln π_k + Σ_j ln p(x_j | k),   π_k = Σ_{i in k} w_i / Σ w     (class priors are never smoothed)
gaussian     μ = Σwx/n, σ² = Σw(x−μ)²/n                    n = Σw over the rows of class k
bernoulli    q = (Σwx + α) / (n + 2α)
multinomial  φ_w = (W_w + α) / (ΣW + α·V), ln p(x|k) = Σ_w c_w ln φ_w    (no multinomial coefficient)
categorical  p_l = (n_l + α) / (n + α·L)
"""

import sys

sys.dont_write_bytecode = True

from store import agree, columns, posterior, write
import numpy as np
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

rng = np.random.default_rng(20240601)
K = 3


def some_weights(n):
    return np.round(rng.uniform(0.01, 2.99, n), 3)


def iris():
    bunch = load_iris()
    pick = rng.choice(150, 20, replace=False)
    test = np.round(bunch.data[pick] + rng.normal(0, 0.4, (20, 4)), 2)
    names = ["sepalLength", "sepalWidth", "petalLength", "petalWidth"]
    return "species", [str(c) for c in bunch.target_names], names, bunch.data, bunch.target, test


def binary():
    q = rng.uniform(0.1, 0.9, (K, 6))
    y = rng.choice(K, 90, p=[0.5, 0.3, 0.2])
    names = [f"b{j}" for j in range(6)]
    draw = lambda y: (rng.uniform(size=(len(y), 6)) < q[y]).astype(int)
    return "y", ["a", "b", "c"], names, draw(y), y, draw(rng.choice(K, 20))


def words():
    phi = rng.dirichlet(np.full(25, 0.3), K)
    draw = lambda y, lengths: np.array([rng.multinomial(m, phi[k]) for k, m in zip(y, lengths)])
    y = rng.choice(K, 60, p=[0.4, 0.35, 0.25])
    lengths = rng.poisson(12, 60)
    lengths[[3, 17, 40]] = 0  # empty documents
    test_lengths = rng.poisson(6, 20)
    test_lengths[[0, 11]] = 0
    test = draw(rng.choice(K, 20), test_lengths)
    return "topic", ["a", "b", "c"], [f"w{j}" for j in range(25)], draw(y, lengths), y, test


def levels():
    sizes = [2, 3, 4, 5, 6]
    p = [rng.dirichlet(np.full(L, 0.7), K) for L in sizes]
    draw = lambda y: np.array([[rng.choice(L, p=p[j][k]) for j, L in enumerate(sizes)] for k in y])
    y = rng.choice(K, 100, p=[0.45, 0.35, 0.2])
    x = draw(y)
    x[(y == 2) & (x[:, 4] == 5), 4] = 0  # level 5 of the last column is never seen in class 2
    assert all(set(x[:, j]) == set(range(L)) for j, L in enumerate(sizes)), "each level is seen at least once"
    test = np.array([[rng.choice(L) for L in sizes] for _ in range(20)])
    return "y", ["a", "b", "c"], [f"c{j}" for j in range(5)], x, y, test


def written_out(family, X, y, w, test, alpha, sizes):
    """The formulas of the header, by scipy where it has them: parameters as a flat list, ln p(k, x) of the test rows."""
    prior = np.array([w[y == k].sum() for k in range(K)]) / w.sum()
    joint = np.tile(np.log(prior), (len(test), 1))
    params = list(np.log(prior))
    for k in range(K):
        x, v = X[y == k], w[y == k][:, None]
        n = v.sum()
        if family == "gaussian":
            mean = (v * x).sum(0) / n
            var = (v * (x - mean) ** 2).sum(0) / n
            joint[:, k] += stats.norm.logpdf(test, mean, np.sqrt(var)).sum(1)
            params += [*mean, *var]
        elif family == "bernoulli":
            q = ((v * x).sum(0) + alpha) / (n + 2 * alpha)
            joint[:, k] += stats.bernoulli.logpmf(test, q).sum(1)
            params += list(np.log(q))
        elif family == "multinomial":
            counts = (v * x).sum(0)
            phi = (counts + alpha) / (counts.sum() + alpha * X.shape[1])
            joint[:, k] += test @ np.log(phi)
            params += list(np.log(phi))
        else:
            for j, L in enumerate(sizes):
                counts = np.array([v[x[:, j] == level].sum() for level in range(L)])
                p = (counts + alpha) / (n + alpha * L)
                joint[:, k] += np.log(p)[test[:, j]]
                params += list(np.log(p))
    return params, joint


def flat(fitted):
    """Fitted parameters in the order of written_out: ln π, then class by class."""
    tables = [t for v in list(fitted.values())[1:] for t in (v.values() if isinstance(v, dict) else [v])]
    return [*fitted["logPrior"], *(p for k in range(K) for t in tables for p in t[k])]


datasets, cases = {}, []
for family, source, maker, alphas in [
    ("gaussian", iris, lambda a: GaussianNB(var_smoothing=0), [None]),
    ("bernoulli", binary, lambda a: BernoulliNB(alpha=a, binarize=None), [1.0, 0.5]),
    ("multinomial", words, lambda a: MultinomialNB(alpha=a), [1.0, 0.3]),
    ("categorical", levels, lambda a: CategoricalNB(alpha=a), [1.0, 0.5]),
]:
    label, classes, names, X, y, test = source()
    weights = some_weights(len(y))
    sizes = (X.max(0) + 1).astype(int) if family == "categorical" else None
    # Categorical cells are written as names, in the order of the levels: "l0", "l1", …
    cells = (
        (lambda Z: np.array([[f"l{v}" for v in row] for row in Z]))
        if family == "categorical"
        else (lambda Z: Z)
    )
    datasets[family] = {
        "label": label,
        "classes": classes,
        "features": names,
        **(
            {"levels": {n: [f"l{v}" for v in range(L)] for n, L in zip(names, sizes)}}
            if sizes is not None
            else {}
        ),
        "columns": {**columns(names, cells(X)), label: [classes[k] for k in y]},
        "weights": weights,
        "test": {"columns": columns(names, cells(test))},
    }
    for alpha in alphas:
        for weighted in [False, True]:
            w = weights if weighted else np.ones(len(y))
            name = family + ("" if alpha is None else f" alpha {alpha:g}") + (" weighted" if weighted else "")
            model = maker(alpha).fit(X, y, sample_weight=weights if weighted else None)
            joint, proba = model.predict_joint_log_proba(test), model.predict_proba(test)
            params, second = written_out(family, X, y, w, test, alpha, sizes)
            agree(name + " ln p(k, x)", joint, second)
            agree(name + " p(k | x)", proba, posterior(second))
            if family == "gaussian":
                fitted = {
                    "logPrior": np.log(model.class_prior_),
                    "means": model.theta_,
                    "variances": model.var_,
                }
            elif family == "categorical":
                fitted = {
                    "logPrior": model.class_log_prior_,
                    "logProb": dict(zip(names, model.feature_log_prob_)),
                }
            else:
                fitted = {"logPrior": model.class_log_prior_, "logProb": model.feature_log_prob_}
            agree(name + " parameters", flat(fitted), params)
            cases.append(
                {
                    "name": name,
                    "dataset": family,
                    "options": {"alpha": alpha, "weighted": weighted},
                    "expected": {**fitted, "joint": joint, "posterior": proba},
                }
            )

write("naive-bayes", __doc__, datasets=datasets, cases=cases)
