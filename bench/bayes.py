"""scikit-learn's BayesianGaussianMixture from given responsibilities, in one thread: its lower bound and the processor time after each step."""

import json
import os
import sys

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import time

import numpy as np
import sklearn
from sklearn.mixture import BayesianGaussianMixture

question = json.load(open(sys.argv[1]))
X = np.array(question["cells"]).T.copy()
prior = question["prior"]
R = np.eye(question["k"])[question["of"]]
model = BayesianGaussianMixture(
    n_components=question["k"],
    reg_covar=0,
    weight_concentration_prior_type="dirichlet_distribution",
    weight_concentration_prior=1.0,
    mean_precision_prior=prior["strength"],
    mean_prior=np.array(prior["mean"]),
    degrees_of_freedom_prior=prior["degrees"],
    covariance_prior=np.array(prior["scatter"]),
)
model._check_parameters(X)
begin = time.process_time()
model._initialize(X, R)
bounds, seconds = [], []
for _ in range(question["steps"]):
    norm, log_resp = model._e_step(X)
    model._m_step(X, log_resp)
    bounds.append(float(model._compute_lower_bound(log_resp, norm)))
    seconds.append(time.process_time() - begin)
answer = {"bounds": bounds, "seconds": seconds, "means": model.means_.tolist(), "versions": {"scikit-learn": sklearn.__version__}}
json.dump(answer, open(sys.argv[2], "w"))
