"""supports.json: numbers that live on a part of the line, and counts: densities, cumulative probabilities, maximum-likelihood fits.

    exponential: mean      gamma: mean, shape      logNormal: logMean, logSd      beta: alpha, beta
    geometric: mean        negativeBinomial: mean, with r (`successes`) given      inverseGaussian: mean, shape

Densities and cumulative probabilities by scipy.stats, at parameters and points from the narrow to the wide. Fits of 60 rows, plain and with
row weights: scipy.stats' own fit where it has one (location 0; the ends of a beta 0 and 1), which stops at 1e-8 or so, and two opinions of ours that
must agree to 1e-10: the roots of the likelihood equations by brentq, and by Newton's method in plain Python on scipy's digamma and polygamma.
Functions: digamma, trigamma, the inverse of digamma (brentq), the lower incomplete gamma function at any shape.
"""

import sys

sys.dont_write_bytecode = True

from store import agree, write
import math

import numpy as np
from scipy import special, stats
from scipy.optimize import brentq

rng = np.random.default_rng(20241116)
psi, psi1 = special.digamma, lambda x: special.polygamma(1, x)

# family → how scipy is asked for it
scipys = {
    "exponential": lambda p: stats.expon(scale=p["mean"]),
    "gamma": lambda p: stats.gamma(p["shape"], scale=p["mean"] / p["shape"]),
    "logNormal": lambda p: stats.lognorm(p["logSd"], scale=math.exp(p["logMean"])),
    "beta": lambda p: stats.beta(p["alpha"], p["beta"]),
    "geometric": lambda p: stats.nbinom(1, 1 / (1 + p["mean"])),
    "negativeBinomial": lambda p: stats.nbinom(p["successes"], p["successes"] / (p["successes"] + p["mean"])),
    "inverseGaussian": lambda p: stats.invgauss(p["mean"] / p["shape"], scale=p["shape"]),
}
parameters = {
    "exponential": [{"mean": m} for m in (1e-6, 0.4, 3.0, 1e9)],
    "gamma": [{"mean": m, "shape": k} for m, k in ((0.2, 0.3), (3.0, 1.0), (40.0, 2.7), (1e6, 55.0), (5.0, 4e4))],
    "logNormal": [{"logMean": m, "logSd": s} for m, s in ((0.0, 1.0), (-7.0, 2.5), (12.0, 0.03))],
    "beta": [{"alpha": a, "beta": b} for a, b in ((0.5, 0.5), (1.0, 1.0), (2.0, 7.5), (0.2, 4.0), (300.0, 900.0))],
    "geometric": [{"mean": m} for m in (0.05, 1.0, 8.0, 400.0)],
    "negativeBinomial": [
        {"successes": r, "mean": m} for r, m in ((0.3, 2.0), (1.0, 5.0), (2.5, 12.0), (40.0, 30.0), (6.0, 2000.0))
    ],
    "inverseGaussian": [
        {"mean": m, "shape": k} for m, k in ((0.2, 0.05), (1.0, 1.0), (3.0, 70.0), (40.0, 2.7), (1e6, 5e6), (5.0, 4e3))
    ],
}
quantiles = np.array([0.001, 0.02, 0.1, 0.25, 0.5, 0.8, 0.97, 0.9995])

densities = []
for family, choices in parameters.items():
    for p in choices:
        law = scipys[family](p)
        discrete = family in ("geometric", "negativeBinomial")
        x = np.unique(law.ppf(quantiles))
        x = x[(x > 1e-300) & (x < 1)] if family == "beta" else x
        log_density = law.logpmf(x) if discrete else law.logpdf(x)
        if family == "geometric":  # stats.geom counts trials, the last one the success
            agree("geometric", log_density, stats.geom.logpmf(x + 1, 1 / (1 + p["mean"])), 1e-9)
        if family == "negativeBinomial":
            r, m = p["successes"], p["mean"]
            second = special.gammaln(x + r) - special.gammaln(r) - special.gammaln(x + 1)
            agree("negativeBinomial", log_density, second + x * np.log(m / (m + r)) + r * np.log(r / (m + r)), 1e-9)
        densities.append(
            {
                "family": family,
                "parameters": p,
                "x": x,
                "logDensity": log_density,
                "below": law.cdf(x),
                "mean": law.mean(),
                "sd": law.std(),
            }
        )


def gamma_fit(x, w):
    """ln k − ψ(k) = ln m − mean of ln x, twice"""
    m, g = w @ x / w.sum(), math.log(w @ x / w.sum()) - w @ np.log(x) / w.sum()
    first = brentq(lambda k: math.log(k) - psi(k) - g, 0.4 / g, 1.2 / g, xtol=1e-14, rtol=1e-15)
    k = 0.5 / g
    for _ in range(100):
        k -= (math.log(k) - psi(k) - g) / (1 / k - psi1(k))
    agree("gamma", first, k)
    return {"mean": m, "shape": k}


def beta_fit(x, w):
    """ψ(a) − ψ(a + b) = mean of ln x, and of ln(1 − x): Newton's in two dimensions, and nested roots"""
    g = np.array([w @ np.log(x), w @ np.log1p(-x)]) / w.sum()
    inverse = lambda y: brentq(lambda a: psi(a) - y, 1e-12, 1e9, xtol=1e-16, rtol=1e-15)
    total = lambda c: sum(inverse(gj + psi(c)) for gj in g) - c
    c = brentq(total, 1e-3, 1e5, xtol=1e-14, rtol=1e-15)
    first = [inverse(gj + psi(c)) for gj in g]
    m, v = w @ x / w.sum(), w @ (x - w @ x / w.sum()) ** 2 / w.sum()
    ab = np.array([m, 1 - m]) * (m * (1 - m) / v - 1)
    for _ in range(200):
        step = np.linalg.solve(np.diag(psi1(ab)) - psi1(ab.sum()), psi(ab) - psi(ab.sum()) - g)
        while np.any(ab - step <= 0):
            step /= 2
        ab = ab - step
    agree("beta", first, ab, 1e-9)
    return {"alpha": ab[0], "beta": ab[1]}


def log_normal_fit(x, w):
    m = w @ np.log(x) / w.sum()
    return {"logMean": m, "logSd": math.sqrt(w @ (np.log(x) - m) ** 2 / w.sum())}


def inverse_gaussian_fit(x, w):
    """1/λ = mean of 1/x − 1/m, and mean of (x − m)² / (m² x)"""
    m = w @ x / w.sum()
    shape = 1 / (w @ (1 / x) / w.sum() - 1 / m)
    agree("inverseGaussian", shape, w.sum() * m * m / (w @ ((x - m) ** 2 / x)))
    return {"mean": m, "shape": shape}


mean_fit = lambda x, w: {"mean": w @ x / w.sum()}
fitters = {
    "exponential": mean_fit,
    "gamma": gamma_fit,
    "logNormal": log_normal_fit,
    "beta": beta_fit,
    "geometric": mean_fit,
    "negativeBinomial": mean_fit,
    "inverseGaussian": inverse_gaussian_fit,
}
truth = {
    "exponential": {"mean": 30.0},
    "gamma": {"mean": 12.0, "shape": 2.2},
    "logNormal": {"logMean": 4.0, "logSd": 0.8},
    "beta": {"alpha": 2.0, "beta": 5.0},
    "geometric": {"mean": 4.0},
    "negativeBinomial": {"successes": 2.5, "mean": 9.0},
    "inverseGaussian": {"mean": 7.0, "shape": 4.0},
}
fits = []
for family, p in truth.items():
    x = scipys[family](p).rvs(60, random_state=rng)
    w = np.round(rng.uniform(0.05, 2.95, 60), 3)
    for weighted in (False, True):
        weights = w if weighted else np.ones(60)
        found = fitters[family](x, weights)
        if family == "negativeBinomial":
            found["successes"] = p["successes"]
        law = scipys[family](found)
        discrete = family in ("geometric", "negativeBinomial")
        value = lambda q: weights @ (scipys[family](q).logpmf(x) if discrete else scipys[family](q).logpdf(x))
        best = value(found)
        # a maximum: every parameter a little to either side is worse
        for name in found:
            if name != "successes":
                for factor in (0.999, 1.001):
                    assert value({**found, name: found[name] * factor}) < best, (family, name)
        if not weighted:
            own = {
                "exponential": lambda: {"mean": stats.expon.fit(x, floc=0)[1]},
                "gamma": lambda: (lambda k, _, s: {"mean": k * s, "shape": k})(*stats.gamma.fit(x, floc=0)),
                "logNormal": lambda: (lambda s, _, m: {"logMean": math.log(m), "logSd": s})(*stats.lognorm.fit(x, floc=0)),
                "inverseGaussian": lambda: (lambda m, _, s: {"mean": m * s, "shape": s})(*stats.invgauss.fit(x, floc=0)),
                "beta": lambda: (lambda a, b, *_: {"alpha": a, "beta": b})(*stats.beta.fit(x, floc=0, fscale=1)),
            }.get(family)
            if own:
                for name, value_of in own().items():
                    agree(f"{family}.fit {name}", value_of, found[name], 1e-5)
        fits.append(
            {
                "family": family,
                "options": {"weighted": weighted},
                "columns": {"x": x},
                "weights": weights if weighted else None,
                "expected": found,
                "logLikelihood": best,
            }
        )

points = np.concatenate([np.geomspace(1e-4, 1e8, 49), [0.5, 1, 1.4616321449683623, 2, 9.99, 10]])
values = np.concatenate([-np.geomspace(0.01, 1e4, 25), np.geomspace(0.01, 15, 20)])
inverse = [brentq(lambda u: psi(math.exp(u)) - y, -12, 20, xtol=1e-15, rtol=1e-15) for y in values]
shapes = [(a, x) for a in (0.003, 0.2, 0.7, 1.5, 12.25, 400.5, 3000.7) for x in a * np.array([0.01, 0.3, 0.9, 1, 1.1, 2, 9])]
functions = {
    "digamma": {"x": points, "y": psi(points)},
    "trigamma": {"x": points, "y": psi1(points)},
    "inverseDigamma": {"x": values, "y": np.exp(inverse)},
    "gammaBelow": {"a": [a for a, _ in shapes], "x": [x for _, x in shapes], "y": [special.gammainc(a, x) for a, x in shapes]},
}
write("supports", __doc__, functions=functions, densities=densities, fits=fits)
