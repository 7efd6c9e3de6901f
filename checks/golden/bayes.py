"""bayes.json: posteriors and predictives of conjugate families, and the path of a variational mixture.

    predictives   scipy.stats.t, multivariate_t, nbinom, betabinom, dirichlet_multinomial, lomax and betanbinom, with parameters by the formulas of Murphy (2007)
    kernels       Student's cdf and quantiles, quantiles of beta and gamma, ln Γ_d
    mixture       scikit-learn's BayesianGaussianMixture from given responsibilities, step by step: means, and its lower bound, which lacks constants of the prior

The rows are drawn here; the mixture is of Old Faithful's eruptions, if ../shared/data is there.
"""

import csv
import gzip
from pathlib import Path

import numpy as np
from scipy import special, stats
from sklearn.mixture import BayesianGaussianMixture
from store import agree, write

rng = np.random.default_rng(5)
x = rng.normal(3, 2, 12)
kappa0, m0, nu0, s0 = 0.5, 1.0, 3.0, 3.0 * 2.0**2
n, kappa, nu = len(x), 0.5 + len(x), 3.0 + len(x)
m = (kappa0 * m0 + x.sum()) / kappa
S = s0 + ((x - x.mean()) ** 2).sum() + kappa0 * n / kappa * (x.mean() - m0) ** 2
asked = np.array([-20.0, -1.0, 3.0, 4.5, 60.0])
scale = np.sqrt(S * (kappa + 1) / (kappa * nu))
gaussian = stats.t.logpdf(asked, nu, m, scale)
agree("t", gaussian, special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - 0.5 * np.log(nu * np.pi * scale**2)
      - (nu + 1) / 2 * np.log1p(((asked - m) / scale) ** 2 / nu), 1e-12)

X = rng.multivariate_normal([1, -2, 0], [[2, 1, 0], [1, 3, -1], [0, -1, 1]], 10)
C0 = np.array([[1.0, 0.2, 0.0], [0.2, 2.0, 0.1], [0.0, 0.1, 1.5]])
d, df0, k0, M0 = 3, 5.0, 0.7, np.array([0.0, 0.0, 1.0])
k, df, mean = k0 + len(X), df0 + len(X), X.mean(0)
Mn = (k0 * M0 + X.sum(0)) / k
Sn = df0 * C0 + (X - mean).T @ (X - mean) + k0 * len(X) / k * np.outer(mean - M0, mean - M0)
XQ = np.vstack([X[:3], [[9, 9, 9]]])
normal = stats.multivariate_t.logpdf(XQ, Mn, Sn * (k + 1) / (k * (df - d + 1)), df - d + 1)
seen = [0, 2]  # the second column missing
marginal = stats.multivariate_t.logpdf(XQ[:, seen], Mn[seen], (Sn * (k + 1) / (k * (df - d + 1)))[np.ix_(seen, seen)], df - d + 1)

counts = rng.poisson(4, 9)
a, b = 2.0 * 1.5 + counts.sum(), 1.5 + len(counts)
countsAsked = np.arange(0, 30, 3)
poisson = stats.nbinom.logpmf(countsAsked, a, b / (b + 1))

waits = np.array([0.5, 12.0, 3.25, 0.0, 40.0])
waitsAsked = np.array([0.0, 1e-3, 7.0, 500.0])
shape, rate = 1.5 + 1 + len(waits), 1.5 * 8.0 + waits.sum()
lomax = stats.lomax(shape, scale=rate)
exponential = {"rows": waits, "prior": {"mean": 8.0, "strength": 1.5}, "asked": waitsAsked, "logs": lomax.logpdf(waitsAsked),
               "coverage": 0.9, "interval": lomax.ppf([0.05, 0.95]), "mean": lomax.mean(), "sd": lomax.std(),
               "credible": 1 / stats.gamma.ppf([0.95, 0.05], shape, scale=1 / rate)}

fails = np.array([0, 3, 11, 1, 0, 2])
failsAsked = np.array([0, 1, 5, 80, 3000])
one, more = 1.5 + 1 + len(fails), 1.5 * 2.0 + fails.sum()
waiting = stats.betanbinom(1, one, more)
q = stats.beta.ppf([0.05, 0.95], more, one)
geometric = {"rows": fails, "prior": {"mean": 2.0, "strength": 1.5}, "asked": failsAsked, "logs": waiting.logpmf(failsAsked),
             "coverage": 0.9, "interval": waiting.ppf([0.05, 0.95]), "mean": waiting.mean(), "sd": waiting.std(), "credible": q / (1 - q)}

sizes = np.array([120.0, 3000.0, 45.5, 800.0])
sizesAsked = np.array([1e-3, 60.0, 1e6])
logs = np.log(sizes)
lk, ln = 0.7 + len(logs), 3.5 + len(logs)
lm = (0.7 * 5.0 + logs.sum()) / lk
ls = 3.5 * 1.2**2 + ((logs - logs.mean()) ** 2).sum() + 0.7 * len(logs) / lk * (logs.mean() - 5.0) ** 2
logT = stats.t(ln, lm, np.sqrt(ls * (lk + 1) / (lk * ln)))
logNormal = {"rows": sizes, "prior": {"logMean": 5.0, "strength": 0.7, "logSd": 1.2, "degrees": 3.5}, "asked": sizesAsked,
             "logs": logT.logpdf(np.log(sizesAsked)) - np.log(sizesAsked), "coverage": 0.9, "interval": np.exp(logT.ppf([0.05, 0.95])),
             "credible": stats.t.ppf([0.05, 0.95], ln, lm, np.sqrt(ls / (lk * ln)))}

words = np.array([[2, 0, 1], [0, 3, 1], [1, 1, 0]])
alpha = 1 + words.sum(0)
bag = np.array([4, 0, 2])
dm = stats.dirichlet_multinomial(alpha, bag.sum()).logpmf(bag)
coefficient = special.gammaln(bag.sum() + 1) - special.gammaln(bag + 1).sum()
coin = stats.betabinom.logpmf(4, 7, 1, 1) - np.log(special.comb(7, 4))

t = np.array([-30.0, -2.5, -0.3, 0.7, 4.0])
p = np.array([1e-6, 0.05, 0.4, 0.9, 0.999])
kernels = {
    "t": t, "p": p,
    "below": [[f, stats.t.cdf(t, f)] for f in (0.7, 2.0, 9.5, 300.0)],
    "quantile": [[f, stats.t.ppf(p, f)] for f in (0.7, 2.0, 9.5, 300.0)],
    "beta": [[u, v, stats.beta.ppf(p, u, v)] for u, v in ((0.5, 0.5), (3.0, 1.0), (40.0, 260.0))],
    "gamma": [[u, stats.gamma.ppf(p, u)] for u in (0.3, 2.5, 80.0)],
    "multigamma": [[v, q, special.multigammaln(v, q)] for v, q in ((2.5, 3), (7.0, 2), (60.5, 10))],
}

mixture = {}
home = Path(__file__).parents[3] / "shared/data/old-faithful/faithful.csv.gz"
if home.exists():
    rows = list(csv.reader(gzip.open(home, "rt")))[1:]
    F = np.array(rows, float)
    F = np.round((F - F.mean(0)) / F.std(0), 6)
    mixture = {"rows": F, "prior": {"mean": F.mean(0), "covariance": np.cov(F.T)}, "each": []}
    for K in (2, 3, 5):
        g = np.random.default_rng(K)
        R = g.dirichlet(np.full(K, 0.3), len(F))
        model = BayesianGaussianMixture(n_components=K, reg_covar=0, weight_concentration_prior_type="dirichlet_distribution",
                                        weight_concentration_prior=1.0, mean_precision_prior=1.0, degrees_of_freedom_prior=3.0,
                                        mean_prior=F.mean(0), covariance_prior=np.cov(F.T))
        model._check_parameters(F) if hasattr(model, "_check_parameters") else None
        model._initialize(F, R)
        nk = R.sum(0)
        mu = (R.T @ F) / nk[:, None]
        cov = [(R[:, c, None] * (F - mu[c])).T @ (F - mu[c]) / nk[c] for c in range(K)]
        means, bounds = [], []
        for step in range(60):
            norm, log_resp = model._e_step(F)
            model._m_step(F, log_resp)
            bounds.append(model._compute_lower_bound(log_resp, norm))
            if step in (0, 9, 29):
                means.append(model.means_.copy())
        mixture["each"].append({"k": K, "weights": nk / len(F), "means": mu, "covariances": cov, "after": [1, 10, 30], "path": means, "bounds": bounds})

write("bayes", "posteriors, predictives and a variational mixture",
      gaussian={"rows": x, "prior": {"mean": m0, "strength": kappa0, "sd": 2.0, "degrees": nu0}, "asked": asked, "logs": gaussian},
      normal={"rows": X, "mean": M0, "strength": k0, "covariance": C0, "degrees": df0, "asked": XQ, "logs": normal, "marginal": marginal},
      poisson={"rows": counts, "prior": {"rate": 2.0, "strength": 1.5}, "asked": countsAsked, "logs": poisson},
      multinomial={"rows": words, "bag": bag, "log": dm - coefficient},
      exponential=exponential, geometric=geometric, logNormal=logNormal,
      bernoulli={"log": coin}, kernels=kernels, mixture=mixture)
